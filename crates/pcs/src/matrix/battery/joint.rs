//! One proof about several commitments: round trips, and provers that deviate in one commitment alone.

use super::*;
use crate::matrix::{JointScheme, JointStatement as Statement, Witness};
use iop::error::ParamError;

type JointOf<P> = JointScheme<<P as Preset>::Family, <P as Preset>::Base, <P as Preset>::Challenge>;
type WitnessOf<P> = Witness<<P as Preset>::Base, <P as Preset>::Challenge>;

/// Polynomials of each commitment: their number is no power of two, nor is the first polynomial's of the others.
const PARTS: [u32; 3] = [2, 3, 1];

fn of_all<P: Preset>(regime: Regime) -> Params {
    Params { polynomials: PARTS.iter().sum(), ..small(P::FIELDS, 0, regime) }
}

/// Every inner argument that proves about several commitments, in both regimes.
fn settings<P: Preset>() -> Vec<Params> {
    let mut all = Vec::new();
    for (regime, log_parts) in [(Regime::UniqueDecoding, 0), (JOHNSON, 2)] {
        let base = Params { log_parts, ..of_all::<P>(regime) };
        let recursions = [base.inner.clone(), Inner::Recursion(vec![])];
        all.extend(recursions.into_iter().chain(P::chains()).map(|inner| Params { inner, ..base.clone() }));
    }
    all
}

/// The commitments of an honest prover, and claims of other forms for each.
struct Round<P: Preset> {
    joint: JointOf<P>,
    witnesses: Vec<WitnessOf<P>>,
    claims: Vec<ClaimsOf<P>>,
    proof: Vec<u8>,
}

/// One form of the first, two of the second, three of the third commitment.
fn forms<P: Preset>() -> Vec<Vec<TensorForm<P::Challenge>>> {
    let form = |seed: u64| TensorForm::point(&elements::<P::Challenge>(10, seed));
    vec![vec![form(3)], vec![form(4), TensorForm::index(5, 10)], vec![form(3), TensorForm::sum(10), form(5)]]
}

impl<P: Preset> Round<P> {
    fn new(params: Params) -> Self {
        Self::of(params, 1)
    }

    /// The first commitment holds the elements with this seed, the others those with the next ones.
    fn of(params: Params, seed: u64) -> Self {
        let joint = JointOf::<P>::new(params, &PARTS, &ANY).unwrap();
        let witnesses = (seed..).zip(joint.parts()).map(|(seed, part)| {
            let all: Vec<P::Base> = elements((part.params().polynomials as usize) << 10, seed);
            Prover::new(part).commit_batch(&all.chunks(1 << 10).collect::<Vec<_>>())
        });
        let witnesses: Vec<_> = witnesses.collect();
        let (claims, proof) = joint.open(&witnesses.iter().collect::<Vec<_>>(), forms::<P>(), b"label");
        Self { joint, witnesses, claims, proof }
    }

    fn statements(&self) -> Vec<Statement<'_, P::Challenge>> {
        self.witnesses.iter().map(Witness::commitment).zip(&self.claims).collect()
    }

    fn verdict(&self, proof: &[u8]) -> Result<(), Invalid> {
        self.joint.verify(&self.statements(), proof)
    }

    /// For each commitment the partial values of its forms.
    fn partials(&self) -> Vec<Vec<Vec<P::Challenge>>> {
        let of = |((part, witness), claims): ((&SchemeOf<P>, &WitnessOf<P>), &ClaimsOf<P>)| {
            let claims = claims.forms.iter();
            let partial = |form| Prover::new(part).partial(witness.held.committed(), form).unwrap().values;
            claims.map(partial).collect()
        };
        self.joint.parts().iter().zip(&self.witnesses).zip(&self.claims).map(of).collect()
    }

    /// The verdict on a proof of changed claims, with the values of columns that fit them.
    fn proven(&mut self, partials: Vec<Vec<Vec<P::Challenge>>>) -> Result<(), Invalid> {
        let witnesses: Vec<_> = self.witnesses.iter().collect();
        self.proof = self.joint.prove(&witnesses, &self.claims, partials).unwrap();
        self.verdict(&self.proof)
    }

    /// Adds to a claimed value, and to that of a column that the form looks at.
    fn shift(
        &mut self,
        partials: &mut [Vec<Vec<P::Challenge>>],
        [commitment, form, polynomial]: [usize; 3],
        by: P::Challenge,
    ) {
        let claims = &mut self.claims[commitment];
        let columns = claims.forms[form].split(4).0.expand();
        let k = columns.iter().position(|&c| c != P::Challenge::ZERO).expect("a column that is looked at");
        claims.values[form][polynomial] += by;
        partials[commitment][form][polynomial * columns.len() + k] += by * columns[k].inverse().unwrap();
    }
}

/// Values are those of the forms on the data, and each commitment is one that its own scheme opens.
pub(super) fn several_commitments_open_together<P: Preset>() {
    for params in settings::<P>() {
        let mut round = Round::<P>::new(params.clone());
        assert_eq!(round.verdict(&round.proof), Ok(()), "{params:?}");
        let size = round.joint.size();
        assert!((size.fixed()..=size.most()).contains(&(round.proof.len() as u64)), "{size:?} {params:?}");
        for (seed, claims) in (1..).zip(&round.claims) {
            let data: Vec<P::Base> = elements(claims.values[0].len() << 10, seed);
            for (form, values) in claims.forms.iter().zip(&claims.values) {
                for (polynomial, value) in data.chunks(1 << 10).zip(values) {
                    let table: Vec<P::Challenge> =
                        polynomial.iter().map(|&x| P::Challenge::lift(x)).collect();
                    assert_eq!(form.apply(&table), *value);
                }
            }
        }
        for (part, witness) in round.joint.parts().iter().zip(&mut round.witnesses) {
            let bytes = witness.commitment().to_bytes();
            assert_eq!(part.read_commitment(&bytes), Ok(witness.commitment().clone()));
            let (claims, proof) = Prover::new(part).open(witness, vec![TensorForm::sum(10)], b"alone");
            assert_eq!(part.verify(witness.commitment(), &claims, &proof), Ok(()));
        }
    }
}

/// Each value of each form on each polynomial of each commitment.
pub(super) fn malicious_prover_deviates_in_one_value_of_one_commitment<P: Preset>() {
    for params in settings::<P>() {
        for (commitment, forms) in forms::<P>().iter().enumerate() {
            for (form, polynomial) in
                (0..forms.len()).flat_map(|form| (0..PARTS[commitment] as usize).map(move |k| (form, k)))
            {
                let mut round = Round::<P>::new(params.clone());
                let mut partials = round.partials();
                round.shift(&mut partials, [commitment, form, polynomial], P::Challenge::ONE);
                assert_eq!(
                    round.proven(partials),
                    Err(CLAIMS),
                    "{commitment} {form} {polynomial} {params:?}"
                );
            }
        }
    }
}

/// The sum of the values of two commitments would be right.
pub(super) fn malicious_prover_whose_errors_cancel_across_commitments<P: Preset>() {
    for params in settings::<P>() {
        let mut round = Round::<P>::new(params.clone());
        let mut partials = round.partials();
        round.shift(&mut partials, [0, 0, 1], P::Challenge::ONE);
        round.shift(&mut partials, [1, 0, 0], -P::Challenge::ONE);
        assert_eq!(round.proven(partials), Err(CLAIMS), "{params:?}");
    }
}

pub(super) fn malicious_prover_deviates_in_the_sample_of_one_commitment<P: Preset>() {
    for params in settings::<P>().into_iter().filter(Params::out_of_domain) {
        for commitment in 0..PARTS.len() {
            let mut round = Round::<P>::new(params.clone());
            let partials = round.partials();
            let values = &mut round.witnesses[commitment].kept.commitment.out_of_domain;
            *values.last_mut().unwrap() += P::Challenge::ONE;
            assert_eq!(round.proven(partials), Err(CLAIMS), "{commitment} {params:?}");
        }
    }
}

/// The witness of the same polynomials with a word that is none of the code added to one column, so many times.
fn with_garbage<P: Preset>(
    part: &SchemeOf<P>,
    witness: &WitnessOf<P>,
    column: usize,
    times: P::Base,
) -> WitnessOf<P> {
    let shape = part.matrix();
    let message = witness.entries().into_owned();
    let mut codeword = shape.commit(&message, Vec::new()).into_blocks().concat();
    for (i, row) in codeword.chunks_exact_mut(shape.width).enumerate() {
        row[column] += times * P::Base::from_u64(i as u64 + 1).pow(1 << 20);
    }
    Prover::new(part).witness(message, shape.commit_codeword(codeword), None)
}

/// A column of one commitment is no codeword, and one of the next makes up for it in every sum of the columns.
pub(super) fn malicious_prover_whose_garbage_cancels_across_commitments<P: Preset>() {
    for params in settings::<P>() {
        for second in [false, true] {
            let mut round = Round::<P>::new(params.clone());
            let partials = round.partials();
            let last = round.joint.part(0).matrix().width - 1;
            round.witnesses[0] =
                with_garbage::<P>(round.joint.part(0), &round.witnesses[0], last, P::Base::ONE);
            if second {
                round.witnesses[1] =
                    with_garbage::<P>(round.joint.part(1), &round.witnesses[1], 0, -P::Base::ONE);
            }
            assert_eq!(round.proven(partials), Err(check_of_rows(&params.inner)), "{second} {params:?}");
        }
    }
}

/// A prover that opens another matrix than the one it has committed to, in one commitment after the other, and claims what is true of it.
pub(super) fn malicious_prover_opens_rows_of_another_commitment<P: Preset>() {
    for params in settings::<P>() {
        for commitment in 0..PARTS.len() {
            let mut round = Round::<P>::new(params.clone());
            let part = round.joint.part(commitment);
            let data: Vec<P::Base> = elements((part.params().polynomials as usize) << 10, 9);
            let prover = Prover::new(part);
            let mut other = Prover::new(part).commit_batch(&data.chunks(1 << 10).collect::<Vec<_>>());
            other.kept.commitment.root = round.witnesses[commitment].commitment().root;
            if let Some(point) = part.layout().out_of_domain_point(&other.kept.commitment.root) {
                let sample = prover.partial(other.held.committed(), &point).unwrap();
                other.kept.commitment.out_of_domain = sample.evaluate();
                other.kept.out_of_domain = Some(sample.values);
            }
            round.claims[commitment].values = prover.evaluate(&other, &round.claims[commitment].forms);
            round.witnesses[commitment] = other;
            let partials = round.partials();
            assert_eq!(round.proven(partials), Err(TREE), "{commitment} {params:?}");
        }
    }
}

pub(super) fn every_flipped_byte_of_a_joint_proof_is_rejected<P: Preset>() {
    let params = of_all::<P>(JOHNSON);
    let round = Round::<P>::new(params);
    for at in 0..round.proof.len() {
        let mut changed = round.proof.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(round.verdict(&changed).is_err(), "byte {at}");
        assert!(round.verdict(&round.proof[..at]).is_err(), "first {at} bytes");
    }
    assert!(round.verdict(&[round.proof.clone(), vec![0]].concat()).is_err());
}

pub(super) fn every_message_of_a_joint_proof_counts<P: Preset>() {
    for params in settings::<P>() {
        let [round, other] = [1, 4].map(|seed| Round::<P>::of(params.clone(), seed));
        let calls = other.joint.script(&other.statements(), &other.proof).unwrap();
        let script = |proof: &[u8]| round.joint.script(&round.statements(), proof);
        every_message_counts(script, &round.proof, &(other.proof.clone(), calls));
    }
}

/// Whatever is stated: other commitments, claims, numbers of them, in another order, or with another context.
pub(super) fn another_joint_statement_is_rejected<P: Preset>() {
    let round = Round::<P>::new(of_all::<P>(JOHNSON));
    let statements = round.statements();
    let rejects = |statements: &[Statement<'_, P::Challenge>]| {
        assert!(round.joint.verify(statements, &round.proof).is_err());
    };
    rejects(&[]);
    rejects(&statements[..2]);
    rejects(&[&statements[..], &statements[..1]].concat());
    for number in 0..PARTS.len() {
        let (commitment, claims) = statements[number];
        let with = |commitment: &CommitmentOf<P>, claims: &ClaimsOf<P>| {
            let mut changed = statements.clone();
            changed[number] = (commitment, claims);
            rejects(&changed);
        };
        let mut other = commitment.clone();
        other.root[0] ^= 1;
        with(&other, claims);
        let mut other = commitment.clone();
        other.out_of_domain[0] += P::Challenge::ONE;
        with(&other, claims);
        other.out_of_domain.clear();
        with(&other, claims);
        let change = |edit: fn(&mut ClaimsOf<P>)| {
            let mut other = claims.clone();
            edit(&mut other);
            with(commitment, &other);
        };
        change(|claims| claims.values[0][0] += P::Challenge::ONE);
        change(|claims| claims.context.push(0));
        change(|claims| claims.values[0].push(P::Challenge::ZERO));
        change(|claims| claims.forms[0] = TensorForm::index(3, 10));
        change(|claims| claims.forms[0] = TensorForm::index(3, 9));
        change(|claims| {
            claims.forms.clear();
            claims.values.clear();
        });
        change(|claims| {
            claims.forms = vec![claims.forms[0].clone(); 9];
            claims.values = vec![claims.values[0].clone(); 9];
        });
    }
}

/// Two commitments to as many polynomials may not change places.
pub(super) fn commitments_of_a_joint_proof_have_their_places<P: Preset>() {
    let params = Params { polynomials: 2, ..small(P::FIELDS, 0, JOHNSON) };
    let joint = JointOf::<P>::new(params.clone(), &[1, 1], &ANY).unwrap();
    let commit = |seed| Prover::new(joint.part(0)).commit(elements(1 << 10, seed));
    let witnesses: [WitnessOf<P>; 2] = [commit(1), commit(2)];
    let form = vec![TensorForm::point(&point(10))];
    let (claims, proof) = joint.open(&witnesses.each_ref(), vec![form.clone(), form.clone()], b"label");
    let [a, b] = [0, 1].map(|i| (witnesses[i].commitment(), &claims[i]));
    assert_eq!(joint.verify(&[a, b], &proof), Ok(()));
    assert!(joint.verify(&[b, a], &proof).is_err());
    assert!(joint.verify(&[(a.0, b.1), (b.0, a.1)], &proof).is_err());
    // The same polynomials in one commitment, and the same commitments of another division.
    let together = SchemeOf::<P>::new(params.clone(), &ANY).unwrap();
    let single = joint.part(0);
    assert!(together.verify(a.0, a.1, &proof).is_err());
    assert!(single.verify(a.0, a.1, &proof).is_err());
    let one = JointOf::<P>::new(Params { polynomials: 1, ..params }, &[1], &ANY).unwrap();
    let (alone, proof) = one.open(&[&witnesses[0]], vec![form], b"label");
    assert_eq!(one.verify(&[(a.0, &alone[0])], &proof), Ok(()));
    assert!(single.verify(a.0, &alone[0], &proof).is_err(), "a proof of several, which are one");
}

/// A sample for each commitment is drawn, and each of them may miss.
pub(super) fn every_commitment_adds_its_sample_to_the_errors<P: Preset>() {
    let params = of_all::<P>(JOHNSON);
    let joint = JointOf::<P>::new(params.clone(), &PARTS, &ANY).unwrap();
    let (one, all) = (params.report(), joint.report());
    assert_eq!(one.terms.len(), all.terms.len());
    for (one, all) in one.terms.iter().zip(&all.terms) {
        let more = if one.label == "out-of-domain commit" { 3f64.log2() } else { 0.0 };
        assert!((one.bits - more - all.bits).abs() < 1e-9, "{}: {} {}", one.label, one.bits, all.bits);
    }
    let policy = Policy::at_least(all.proven_bits().floor() as u32 + 1);
    let refused = JointOf::<P>::new(params, &PARTS, &policy).map(drop).unwrap_err();
    assert!(matches!(refused, ParamError::TooFewBits { .. }), "{refused:?}");
}

pub(super) fn parameters_that_several_commitments_cannot_have_are_refused<P: Preset>() {
    let refused = |params: &Params, parts: &[u32]| {
        let error = JointOf::<P>::new(params.clone(), parts, &ANY).map(drop).unwrap_err();
        assert!(matches!(error, ParamError::OutOfRange(_)), "{parts:?}: {error:?}");
    };
    let params = of_all::<P>(JOHNSON);
    for parts in [&[][..], &[6, 0], &[5], &[2, 3], &[7], &[2, u32::MAX, 5], &[1; 65]] {
        refused(&params, parts);
    }
    refused(&Params { polynomials: 65, ..params }, &[1; 65]);
    refused(&Params { polynomials: 6, ..small(P::FIELDS, 1, Regime::UniqueDecoding) }, &PARTS);
}
