//! Proof files of every scheme, with the commitment files that they are about.

use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::Claims;
use pcs::file::{Committed, File, Kind, Opening, SchemeId};
use pcs::pip::InnerKind;
use pcs::{deepfold, ligerito, pip};
use tenfold::AnyScheme;
use tenfold::any::{Form, Weights};
use tenfold::statement::{BytesDescription, ColumnContext, ColumnDescription, Sums};

/// A proof and what its verifier needs.
pub struct Case {
    pub name: String,
    pub proof: Vec<u8>,
    pub commitment: Vec<u8>,
    pub weights: Vec<u8>,
    pub weights_scale: u32,
}

/// The name of the case with weights that have a decimal.
pub const WEIGHTED: &str = "weighted sum";

/// The bits that all of them prove.
pub const BITS: u32 = 90;
const VARIABLES: u32 = 10;
pub const POLICY: Policy = Policy::at_least(BITS);

fn column(rows: u64) -> ColumnDescription {
    ColumnDescription { name: "a column of numbers".into(), rows, scale: 2, bytes: None, source: [7; 32] }
}

/// What a case commits to.
enum Data {
    Numbers(Vec<i128>),
    Bytes(Vec<u8>),
}

impl Data {
    /// As many numbers, or bytes of words of so many bytes, as the scheme commits to; from the last one on if they are for weights, so that with
    /// the same parameters it is another commitment.
    fn of(scheme: &AnyScheme, reversed: bool) -> Self {
        let summary = scheme.summary();
        let count = 1u64 << summary.log_size;
        let numbers = (1..=count).map(|i| if reversed { count + 1 - i } else { i });
        if scheme.id() != SchemeId::Ligerito {
            return Self::Numbers(numbers.map(i128::from).collect());
        }
        let width = summary.bytes[0];
        let word = |i: u64| (0..width).map(move |byte| if byte < 8 { (i >> (8 * byte)) as u8 } else { 0 });
        Self::Bytes(numbers.flat_map(word).collect())
    }
}

/// A case of a scheme: of a weighted sum if there are weights, which are as many as there are rows or bytes.
fn case(name: String, scheme: &AnyScheme, weights: Option<Vec<u8>>) -> Case {
    let data = Data::of(scheme, weights.is_some());
    let mut prover = scheme.prover();
    let (entries, description) = match &data {
        Data::Numbers(numbers) => {
            let rows =
                weights.as_ref().map_or(numbers.len(), |weights| weights.len() / scheme.summary().bytes[0]);
            (prover.integers(&mut numbers.iter().copied()).expect("numbers"), column(rows as u64).encode())
        }
        Data::Bytes(bytes) => {
            let length = weights.as_ref().map_or(bytes.len(), Vec::len) as u64;
            let described = BytesDescription { name: "a file of bytes".into(), length, source: [7; 32] };
            (prover.bytes(&mut &bytes[..]).expect("bytes in memory").expect("bytes"), described.encode())
        }
    };
    let mut witness = match scheme.summary().hidden_openings {
        0 => prover.commit(entries),
        _ => prover.commit_as(entries, tenfold::any::Mode::Hiding(pip::Secret::from_seed(&[9; 32], 0))),
    };
    let proof = match &weights {
        None => prover.open(&mut witness, &forms(scheme), &description).expect("forms").file,
        Some(weights) => {
            let context = match &data {
                Data::Numbers(_) => {
                    let rows = (weights.len() / scheme.summary().bytes[0]) as u64;
                    ColumnContext { column: column(rows), weights_scale: Some(1), sums: Sums::of(false) }
                        .encode()
                }
                Data::Bytes(_) => description.clone(),
            };
            let weights = prover.weights(Weights::Bytes(weights)).expect("weights");
            prover.open_weighted(&mut witness, weights, &context, &POLICY).expect("a weighted sum")
        }
    };
    let body = Committed { description, commitment: witness.commitment().to_vec() };
    let commitment = File {
        kind: Kind::Commitment,
        statement: body.digest(scheme.summary().hash).head(),
        body: body.encode().into(),
        ..proof.clone()
    };
    let (proof, commitment) = (proof.encode(), commitment.encode());
    let weights_scale = if name == WEIGHTED { 1 } else { 0 };
    Case { name, proof, commitment, weights: weights.unwrap_or_default(), weights_scale }
}

/// One entry, and the value at a point, as many as one proof may state.
fn forms(scheme: &AnyScheme) -> Vec<Form> {
    let point: Vec<i128> = (2..).take(scheme.summary().variables).collect();
    let forms = [Form::Entry(7), scheme.point(&point)];
    forms.into_iter().take(scheme.summary().max_forms as usize).collect()
}

/// Every scheme, inner argument, kind of proof and data field.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    use pcs::fields::Fields;
    for fields in [Fields::KoalaBear5, Fields::Goldilocks3, Fields::Mersenne61x2, Fields::Bn254] {
        let scheme = AnyScheme::from_matrix(pip_params(fields, InnerKind::Recursion, 0), &POLICY);
        cases.push(case(format!("pip, {}", fields.name()), &scheme.expect("valid parameters"), None));
    }
    for fields in [Fields::KoalaBear8, Fields::Goldilocks2] {
        let target = deepfold::Target::new(fields, [VARIABLES, 3, 3], f64::from(BITS));
        let params = deepfold::Params::for_target(&target).expect("parameters");
        let scheme = AnyScheme::from_deepfold(params, &POLICY).expect("valid parameters");
        cases.push(case(format!("deepfold, {}", fields.name()), &scheme, None));
    }
    for (name, inner, hidden) in [
        ("chain", InnerKind::Chain, 0),
        ("two chains", InnerKind::TwoChains, 0),
        ("hiding", InnerKind::Recursion, 1),
    ] {
        let scheme = AnyScheme::from_matrix(pip_params(Fields::Goldilocks3, inner, hidden), &POLICY);
        cases.push(case(format!("pip, {name}"), &scheme.expect("valid parameters"), None));
    }
    for fields in ligerito::Fields::BINARY {
        for entries in [ligerito::Entries::Whole, ligerito::Entries::Bytes] {
            let name = format!("ligerito, {} {entries:?}", fields.name());
            cases.push(case(name, &ligerito(fields, entries), None));
        }
    }
    let params = pip_params(Fields::KoalaBear5, InnerKind::Recursion, 0);
    let scheme = AnyScheme::from_matrix(params, &POLICY).expect("valid parameters");
    let weights = (1..=1000u32).flat_map(u32::to_le_bytes).collect();
    cases.push(case(WEIGHTED.into(), &scheme, Some(weights)));
    for entries in [ligerito::Entries::Whole, ligerito::Entries::Bytes, ligerito::Entries::Bits] {
        let weights = (0..777u32).map(|i| ((i * i) >> 3) as u8).collect();
        let scheme = ligerito(ligerito::Fields::Gf128, entries);
        cases.push(case(format!("weighted sum, {entries:?}"), &scheme, Some(weights)));
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
        forms: vec![TensorForm::<field::Mersenne61x2>::index(7, 40)],
        values: vec![vec![field::Field::ONE]],
        context: column(1 << VARIABLES).encode(),
    };
    let commitment = vec![0; 32];
    let file = File {
        kind: Kind::Opening,
        scheme: SchemeId::DeepFold,
        params: params.encode(),
        params_digest: [0; 32],
        statement: claims.digest(params.hash, &commitment).head(),
        body: Opening { commitment, claims, proof: Vec::new().into() }.encode().into(),
    };
    file.encode()
}

fn pip_params(fields: pcs::fields::Fields, inner: InnerKind, hidden_openings: u32) -> pip::Params {
    use pip::search::{Profile, SearchTarget, find};
    // Hiding needs room for random rows.
    let log_size = if hidden_openings > 0 { 16 } else { VARIABLES };
    let one = hidden_openings > 0 || inner == InnerKind::TwoChains;
    let wanted = SearchTarget {
        inner,
        hidden_openings,
        max_forms: if one { 1 } else { 2 },
        ..SearchTarget::new(fields, log_size, BITS, Profile::Fast)
    };
    find(&wanted).expect("parameters")
}

fn ligerito(fields: ligerito::Fields, packed: ligerito::Entries) -> AnyScheme {
    use ligerito::search::{Profile, SearchTarget, find};
    let wanted = SearchTarget {
        entries: packed,
        max_forms: 2,
        ..SearchTarget::new(fields, VARIABLES, BITS, Profile::Fast)
    };
    AnyScheme::from_matrix(find(&wanted).expect("parameters"), &POLICY).expect("valid parameters")
}
