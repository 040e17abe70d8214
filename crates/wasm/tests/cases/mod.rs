//! Proof files of every scheme, with the commitment files that they are about.

use field::{Alphabet, ExtensionOf, Field, TwoAdic};
use iop::hash::{Digest, Hash};
use iop::poly::{Tensor, to_bytes};
use iop::security::Policy;
use pcs::Claims;
use pcs::file::{Committed, File, Kind, Opening, SchemeId};
use pcs::pip::InnerKind;
use pcs::{deepfold, ligerito, pip, weighted, with_binary_fields};

/// A proof and what its verifier needs.
pub struct Case {
    pub name: String,
    pub proof: Vec<u8>,
    pub commitment: Vec<u8>,
    pub weights: Vec<u8>,
}

/// What every case is about, in an application's words.
pub const DESCRIPTION: &[u8] = b"a column of numbers";
/// What follows in the context of its proof.
pub const CONTEXT: &[u8] = b", for the test";
/// The bits that all of them prove.
pub const BITS: u32 = 90;
const VARIABLES: u32 = 10;
const POLICY: Policy = Policy::at_least(BITS);

/// The headers of both files of a case.
struct Headers {
    scheme: SchemeId,
    hash: Hash,
    params: Vec<u8>,
    digest: Digest,
}

impl Headers {
    fn new(scheme: SchemeId, hash: Hash, params: Vec<u8>, digest: Digest) -> Self {
        Self { scheme, hash, params, digest }
    }

    fn file(&self, kind: Kind, statement: Digest, body: Vec<u8>) -> Vec<u8> {
        let (params, params_digest) = (self.params.clone(), self.digest);
        File { kind, scheme: self.scheme, params, params_digest, statement, body: body.into() }.encode()
    }

    fn commitment(&self, commitment: &[u8]) -> Vec<u8> {
        let body = Committed { description: DESCRIPTION.to_vec(), commitment: commitment.to_vec() };
        self.file(Kind::Commitment, body.digest(self.hash), body.encode())
    }

    fn opening<E: Field>(
        &self,
        name: String,
        commitment: Vec<u8>,
        (claims, proof): (Claims<E>, Vec<u8>),
    ) -> Case {
        let statement = claims.digest(self.hash, &commitment);
        let committed = self.commitment(&commitment);
        let body = Opening { commitment, claims, proof: proof.into() }.encode();
        Case {
            name,
            proof: self.file(Kind::Opening, statement, body),
            commitment: committed,
            weights: Vec::new(),
        }
    }

    fn weighted<B: Field>(
        &self,
        name: String,
        commitment: Vec<u8>,
        (claim, proof): (weighted::Claim<B>, Vec<u8>),
        weights: Vec<u8>,
    ) -> Case {
        let statement = claim.statement(self.hash);
        let digest = statement.digest(self.hash, &commitment);
        let committed = self.commitment(&commitment);
        let body = weighted::Opening { commitment, statement, proof: proof.into() }.encode();
        Case { name, proof: self.file(Kind::Weighted, digest, body), commitment: committed, weights }
    }
}

fn context() -> Vec<u8> {
    [DESCRIPTION, CONTEXT].concat()
}

fn entries<B: Field>(count: usize) -> Vec<B> {
    (1..=count as u64).map(B::from_u64).collect()
}

/// One entry, and the value at a point, as many as one proof may state.
fn forms<E: Field>(variables: usize, most: usize) -> Vec<Tensor<E>> {
    let z: Vec<E> = (2..).take(variables).map(E::from_u64).collect();
    [Tensor::index(7, variables), Tensor::point(&z)].into_iter().take(most).collect()
}

/// Every scheme, inner argument, kind of proof and data field.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    use pcs::fields::Fields;
    // One challenge field over each data field; each more is a prover to compile.
    for fields in [Fields::KoalaBear5, Fields::Goldilocks3, Fields::Mersenne61x2, Fields::Bn254] {
        let name = format!("pip, {}", fields.name());
        let params = pip_params(fields, InnerKind::Recursion, 0);
        cases.push(match fields {
            Fields::KoalaBear5 => of_pip::<field::KoalaBear, field::KoalaBear5>(name, params),
            Fields::Goldilocks3 => of_pip::<field::Goldilocks, field::Goldilocks3>(name, params),
            Fields::Mersenne61x2 => of_pip::<field::Mersenne61x2, field::Mersenne61x2>(name, params),
            _ => of_pip::<field::Bn254, field::Bn254>(name, params),
        });
    }
    cases.push(of_deepfold::<field::KoalaBear, field::KoalaBear8>(Fields::KoalaBear8));
    cases.push(of_deepfold::<field::Goldilocks, field::Goldilocks2>(Fields::Goldilocks2));
    for (name, inner, hidden) in [
        ("chain", InnerKind::Chain, 0),
        ("two chains", InnerKind::TwoChains, 0),
        ("hiding", InnerKind::Recursion, 1),
    ] {
        let params = pip_params(Fields::Goldilocks3, inner, hidden);
        cases.push(of_pip::<field::Goldilocks, field::Goldilocks3>(format!("pip, {name}"), params));
    }
    for fields in ligerito::Fields::ALL {
        for entries in [ligerito::Entries::Whole, ligerito::Entries::Bytes] {
            with_binary_fields!(fields, B, E => cases.push(of_ligerito::<B, E>(fields, entries)));
        }
    }
    cases.push(of_weighted_pip::<field::KoalaBear, field::KoalaBear5>(pip_params(
        Fields::KoalaBear5,
        InnerKind::Recursion,
        0,
    )));
    for entries in [ligerito::Entries::Whole, ligerito::Entries::Bytes, ligerito::Entries::Bits] {
        let params = ligerito_params(ligerito::Fields::Gf128, entries);
        cases.push(of_weighted_ligerito::<field::Tower128, field::Gf128>(params));
    }
    cases
}

/// A proof file whose parameters are in range where lengths have 64 bits; its header has no right digest.
pub fn of_a_long_code() -> Vec<u8> {
    let fields = pcs::fields::Fields::Mersenne61x2;
    let mut params = deepfold::Params::for_target(&deepfold::Target::new(fields, [VARIABLES, 3, 3], 20.0))
        .expect("parameters");
    params.log_size = 40;
    params.validate(&Policy::at_least(0)).expect("in range on 64 bits");
    let claims = Claims {
        forms: forms::<field::Mersenne61x2>(40, 1),
        values: vec![vec![field::Mersenne61x2::ONE]],
        context: context(),
    };
    let headers = Headers::new(SchemeId::DeepFold, params.hash, params.encode(), Digest::default());
    headers.opening("long".into(), vec![0; 32], (claims, Vec::new())).proof
}

fn pip_params(fields: pcs::fields::Fields, inner: InnerKind, hidden_openings: u32) -> pip::Params {
    use pip::search::{Profile, Wanted, find};
    // Hiding needs room for random rows.
    let log_size = if hidden_openings > 0 { 16 } else { VARIABLES };
    let one = hidden_openings > 0 || inner == InnerKind::TwoChains;
    let wanted = Wanted {
        inner,
        hidden_openings,
        max_forms: if one { 1 } else { 2 },
        ..Wanted::new(fields, log_size, BITS, Profile::Fast)
    };
    find(&wanted).expect("parameters")
}

fn of_pip<B: TwoAdic, E: ExtensionOf<B>>(name: String, params: pip::Params) -> Case {
    let scheme = pip::Scheme::<B, E>::new(params, &POLICY).expect("valid parameters");
    let params = scheme.params();
    let headers = Headers::new(SchemeId::Pip, params.hash, params.encode(), params.digest());
    let mut prover = pip::Prover::new(&scheme);
    let data = entries(1 << params.variables());
    let mut witness = prover.commit_batch(&[&data]);
    let forms = forms(params.variables(), params.max_forms as usize);
    let opened = prover.open(&mut witness, forms, &context());
    headers.opening(name, witness.commitment().to_bytes(), opened)
}

fn of_deepfold<B: TwoAdic, E: ExtensionOf<B>>(fields: pcs::fields::Fields) -> Case {
    let target = deepfold::Target::new(fields, [VARIABLES, 3, 3], f64::from(BITS));
    let params = deepfold::Params::for_target(&target).expect("parameters");
    let scheme = deepfold::Scheme::<B, E>::new(params, &POLICY).expect("valid parameters");
    let params = scheme.params();
    let headers = Headers::new(SchemeId::DeepFold, params.hash, params.encode(), params.digest());
    let mut prover = deepfold::Prover::new(&scheme);
    let witness = prover.commit(entries(1 << VARIABLES));
    let opened = prover.open(&witness, forms(params.variables(), 1), &context());
    headers.opening(format!("deepfold, {}", fields.name()), witness.commitment().to_bytes(), opened)
}

fn ligerito_params(fields: ligerito::Fields, packed: ligerito::Entries) -> ligerito::Params {
    use ligerito::search::{Profile, Wanted, find};
    let wanted =
        Wanted { entries: packed, max_forms: 2, ..Wanted::new(fields, VARIABLES, BITS, Profile::Fast) };
    find(&wanted).expect("parameters")
}

fn of_ligerito<B: Alphabet, E: ExtensionOf<B>>(fields: ligerito::Fields, packed: ligerito::Entries) -> Case {
    let scheme = ligerito::Scheme::<B, E>::new(ligerito_params(fields, packed), &POLICY);
    let scheme = scheme.expect("valid parameters");
    let params = scheme.params();
    let headers = Headers::new(SchemeId::Ligerito, params.hash, params.encode(), params.digest());
    let mut prover = ligerito::Prover::new(&scheme);
    let data: Vec<B> = entries::<B>(1 << VARIABLES);
    let mut witness = prover.commit(data);
    let opened = prover.open(&mut witness, forms(params.variables(), 2), &context());
    let name = format!("ligerito, {} {packed:?}", fields.name());
    headers.opening(name, witness.commitment().to_bytes(), opened)
}

/// Other data than the other cases have: with the same parameters it would be the same commitment.
fn other_entries<B: Field>() -> Vec<B> {
    entries(1 << VARIABLES).into_iter().rev().collect()
}

fn of_weighted_pip<B: TwoAdic, E: ExtensionOf<B>>(params: pip::Params) -> Case {
    let scheme = weighted::Scheme::<pip::Scheme<B, E>>::new(params, &POLICY).expect("valid parameters");
    let params = scheme.params();
    let headers = Headers::new(SchemeId::Pip, params.hash, params.encode(), params.digest());
    let mut witness = pip::Prover::new(scheme.inner()).commit(other_entries());
    let weights: Vec<B> = entries(1000);
    let bytes = to_bytes(&weights);
    let proven = weighted::Prover::new(&scheme).open(&mut witness, weights, &context());
    headers.weighted("weighted sum".into(), witness.commitment().to_bytes(), proven, bytes)
}

/// The weights are bytes, as the entries are.
fn of_weighted_ligerito<B: Alphabet, E: ExtensionOf<B>>(params: ligerito::Params) -> Case {
    let scheme = weighted::Scheme::<ligerito::Scheme<B, E>>::new(params, &POLICY).expect("valid parameters");
    let params = scheme.params();
    let headers = Headers::new(SchemeId::Ligerito, params.hash, params.encode(), params.digest());
    let mut witness = ligerito::Prover::new(scheme.inner()).commit(other_entries());
    let bytes: Vec<u8> = (0..777u32).map(|i| ((i * i) >> 3) as u8).collect();
    let weights = ligerito::unpack_bytes(&bytes, params.entries);
    let proven = weighted::Prover::new(&scheme).open(&mut witness, weights, &context());
    let name = format!("weighted sum, {:?}", params.entries);
    headers.weighted(name, witness.commitment().to_bytes(), proven, bytes)
}
