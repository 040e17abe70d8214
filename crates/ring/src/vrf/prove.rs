//! What members do: proofs of possession, tags, signatures.
//!
//! (notes: ring-pedersen, ring-thin, ring-possession, ring-vrf)

use curve::ct;
use curve::embedded::{Embedded, Projective};
use zeroize::Zeroizing;

use super::pairs::Pairs;
use super::secret::{affine, nonce, times};
use super::single::Part;
use super::{
    Input, Membership, Output, Pedersen, Possession, Secret, Signature, SignerProof, Suite, pedersen,
    possession,
};
use crate::{Error, Key, KeyError, Prover, Ring, RowPoints};

const BLINDING: u8 = 0x12;

impl<C: Embedded> Pedersen<C> {
    /// Proves the outputs of `secret`. Gives the blinding as well, which says whose `Yb` is.
    ///
    /// The blinding and the nonces depend on secret, inputs, outputs and data, not on chance: without any input the same key and data give
    /// the same `Yb`.
    ///
    /// # Errors
    /// If an output is of another secret or an input the identity, or the suite is [`Suite::jam`] and there is not one pair ([`Self::verify`]). A proof that
    /// does not verify is not given out: a fault while it is computed must not show a second response for one nonce.
    pub fn prove(
        suite: &Suite<C>,
        secret: &Secret<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<(Self, Zeroizing<C::ScalarField>), Error> {
        Self::prove_with(suite, secret, pairs, [data, &[]])
    }

    /// [`Self::prove`], whose blinding depends on `random` too.
    fn prove_with(
        suite: &Suite<C>,
        secret: &Secret<C>,
        pairs: &[(Input<C>, Output<C>)],
        texts: [&[u8]; 2],
    ) -> Result<(Self, Zeroizing<C::ScalarField>), Error> {
        pedersen::check_number(suite, pairs)?;
        let (proof, blinding) = Self::answer(suite, secret, pairs, texts);
        proof.verify(suite, pairs, texts[0])?;
        Ok((proof, blinding))
    }

    /// The proof, not verified.
    pub(crate) fn answer(
        suite: &Suite<C>,
        secret: &Secret<C>,
        pairs: &[(Input<C>, Output<C>)],
        [data, random]: [&[u8]; 2],
    ) -> (Self, Zeroizing<C::ScalarField>) {
        let mut merged = pedersen::begin(suite, pairs, data);
        let mut blinding_hash = merged.hash.clone();
        blinding_hash.absorb(&[BLINDING]);
        blinding_hash.absorb(random);
        let blinding = Zeroizing::new(nonce::<C>(secret.scalar(), &blinding_hash));
        let h = Projective::from(*suite.bases().blinding());
        let g = Projective::from(suite.generator());
        let blinded = affine(&ct::add(&ct::times(&h, &blinding), &Projective::from(*secret.public())));
        merged.hash.absorb(&suite.encode_point(&blinded));
        let k = Zeroizing::new(nonce::<C>(secret.scalar(), &merged.hash));
        let kb = Zeroizing::new(nonce::<C>(&blinding, &merged.hash));
        let r = affine(&ct::add(&ct::times(&g, &k), &ct::times(&h, &kb)));
        let nonces = [r, times(&merged.input(), &k)];
        let c = pedersen::challenge(suite, &merged, data, (&blinded, &nonces));
        let responses = [C::multiply_add(&c, secret.scalar(), &k), C::multiply_add(&c, &blinding, &kb)];
        (Self { blinded, nonces, responses }, blinding)
    }
}

impl<C: Embedded, P: Part<C>> SignerProof<C, P> {
    /// Proves the outputs of `secret`, bound to `data`. Pairs are those of [`Secret::pair`]. The nonce depends on all of this, not on chance.
    ///
    /// # Errors
    /// If an output is of another secret, or the suite is [`Suite::jam`], which has no such proofs. A proof that does not verify is not given out.
    pub fn prove(
        suite: &Suite<C>,
        secret: &Secret<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<Self, Error> {
        let key = secret.key();
        let proof = Self::answer(suite, secret, &Pairs::of_signer(suite, P::PURPOSE, &key, pairs, data)?);
        proof.verify(suite, &key, pairs, data)?;
        Ok(proof)
    }

    /// What a signer answers about the pairs of a proof, not verified.
    pub(crate) fn answer(suite: &Suite<C>, secret: &Secret<C>, pairs: &Pairs<C>) -> Self {
        let k = Zeroizing::new(nonce::<C>(secret.scalar(), &pairs.hash));
        let part = P::new(suite, pairs, times(&pairs.input(), &k));
        let c = part.challenge(suite, pairs);
        Self { part, response: C::multiply_add(&c, secret.scalar(), &k) }
    }
}

impl<C: Embedded> Possession<C> {
    /// Proves that the secret is known, to those who expect `context`: the ring's name, for one.
    ///
    /// # Errors
    /// If the key cannot be in a ring of the suite. A proof that does not verify is not given out.
    pub fn prove(suite: &Suite<C>, secret: &Secret<C>, context: &[u8]) -> Result<Self, Error> {
        let proof = Self::answer(suite, secret, context);
        proof.verify(suite, &secret.key(), context)?;
        Ok(proof)
    }

    /// The proof, not verified.
    pub(crate) fn answer(suite: &Suite<C>, secret: &Secret<C>, context: &[u8]) -> Self {
        let hash = possession::begin(suite, secret.public(), context);
        let k = Zeroizing::new(nonce::<C>(secret.scalar(), &hash));
        let nonce = times(&suite.generator(), &k);
        let c = possession::challenge::<C>(hash, &nonce);
        Self { nonce, response: C::multiply_add(&c, secret.scalar(), &k) }
    }
}

impl<C: Embedded> Ring<C> {
    /// [`Ring::append`] of keys that come with proofs of possession for `context`. Then no member's key was chosen as a function of other
    /// points, which a ring proof alone does not stand (see the notes).
    ///
    /// # Errors
    /// As [`Ring::append`], for the first proof that is not valid, or if `suite` has other bases. Then nothing is changed.
    pub fn append_proven(
        &mut self,
        points: &impl RowPoints,
        suite: &Suite<C>,
        keys: &[(Key<C>, Possession<C>)],
        context: &[u8],
    ) -> Result<(), Error> {
        if self.params().bases != *suite.bases() {
            return Err(Error::Mismatch("a ring of another suite"));
        }
        for (at, (key, possession)) in keys.iter().enumerate() {
            suite.bases().check_key(key).map_err(|why| Error::Key { at, why })?;
            let unknown = |_| Error::Key { at, why: KeyError::Possession };
            possession.verify(suite, key, context).map_err(unknown)?;
        }
        self.append(points, &keys.iter().map(|(key, _)| *key).collect::<Vec<_>>())
    }
}

impl<C: Embedded> Membership<C> {
    /// Proves membership, as the member in slot `index` of the prover's ring, and binds `data`. The blinding is random: two proofs of a member have nothing
    /// in common.
    ///
    /// # Errors
    /// If the member in this slot has another key, the prover is of another suite, the suite is [`Suite::jam`], which has one input and no other number, or as
    /// [`Prover::prove`].
    pub fn new(
        suite: &Suite<C>,
        (prover, index): (&Prover<C>, usize),
        secret: &Secret<C>,
        data: &[u8],
    ) -> Result<Self, Error> {
        if prover.params().bases != *suite.bases() {
            return Err(Error::Mismatch("a prover of another suite"));
        }
        let mut random = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *random).map_err(Error::Random)?;
        let (pedersen, blinding) = Pedersen::prove_with(suite, secret, &[], [data, &*random])?;
        let (result, ring) = prover.prove(index, &blinding)?;
        if result == *pedersen.blinded() {
            Ok(Self { pedersen, ring })
        } else {
            Err(Error::Mismatch("the key in this slot is another"))
        }
    }
}

impl<C: Embedded> Signature<C> {
    /// Signs `input` and `data` as the member in slot `index` of the prover's ring. The output does not depend on `data`.
    ///
    /// # Errors
    /// If the member in this slot has another key, the prover is of another suite, or the system gives no random bytes.
    pub fn new(
        suite: &Suite<C>,
        (prover, index): (&Prover<C>, usize),
        secret: &Secret<C>,
        input: &Input<C>,
        data: &[u8],
    ) -> Result<Self, Error> {
        if prover.params().bases != *suite.bases() {
            return Err(Error::Mismatch("a prover of another suite"));
        }
        let output = secret.output(input);
        let (pedersen, blinding) = Pedersen::prove(suite, secret, &[(*input, output)], data)?;
        let (result, ring) = prover.prove(index, &blinding)?;
        if result == *pedersen.blinded() {
            Ok(Self { output, pedersen, ring })
        } else {
            Err(Error::Mismatch("the key in this slot is another"))
        }
    }
}
