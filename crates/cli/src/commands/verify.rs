//! `tenfold verify`: reads a proof file, says what it proves, and whether it does.

use super::committed::Committed;
use super::scheme::base_of;
use super::subject::Subject;
use super::{forms, read_file};
use crate::args::{Common, VerifyArgs};
use crate::data::{Base, decimal};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, Field, TwoAdic};
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::pip::{Params, Scheme};
use pcs::with_fields;
use serde_json::json;

/// A verified proof file, in words.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The parameters.
    pub params: Params,
    /// What was committed to.
    pub subject: Subject,
    /// The commitment's bytes.
    pub commitment: Vec<u8>,
    /// The claims in words.
    pub claims: Vec<String>,
    /// Proven bits of the parameters.
    pub bits: f64,
}

impl Verified {
    /// The commitment file that this proof is about.
    #[must_use]
    pub fn committed(&self) -> Committed {
        let (params, subject, commitment) =
            (self.params.clone(), self.subject.clone(), self.commitment.clone());
        Committed { params, subject, commitment }
    }
}

/// Verifies the bytes of a proof file.
///
/// # Errors
/// [`Exit::Usage`] if they are no proof file, [`Exit::Invalid`] if the proof does not hold or its parameters prove
/// fewer than `min_bits`.
pub fn describe(bytes: &[u8], min_bits: u32) -> Result<Verified, Failure> {
    let malformed = |what: String| Failure::usage(what, "ask for the proof file again");
    let file = File::decode(bytes).map_err(|e| malformed(e.to_string()))?;
    if file.kind != Kind::Opening || file.scheme != SchemeId::Pip {
        return Err(malformed("this file is no proof; it is a commitment or of another scheme".into()));
    }
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters".into()))?;
    with_fields!(params.fields, B, E => verify::<B, E>(&file, params, min_bits))
}

fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    file: &File,
    params: Params,
    min_bits: u32,
) -> Result<Verified, Failure> {
    let malformed = |what: String| Failure::usage(what, "ask for the proof file again");
    let scheme = Scheme::<B, E>::new(params.clone(), &Policy { min_bits })
        .map_err(|e| Failure::invalid(format!("the parameters are refused: {}", e.0)))?;
    if params.polynomials != 1 {
        return Err(Failure::invalid("the commitment holds several columns, and the file describes one"));
    }
    let body = Opening::<E>::decode(&file.body).map_err(|e| malformed(e.to_string()))?;
    if params.digest() != file.params_digest {
        return Err(Failure::invalid("the parameter digest in the header is that of other parameters"));
    }
    if body.claims.digest(params.hash, &body.commitment) != file.statement {
        return Err(Failure::invalid("the statement digest in the header is that of another statement"));
    }
    let subject = Subject::decode(&body.claims.context)
        .ok_or_else(|| malformed("the proof does not say what was committed to".into()))?;
    if subject.rows == 0 || subject.rows > 1 << params.log_size {
        return Err(Failure::invalid("the stated number of rows does not fit the commitment"));
    }
    let commitment = scheme.read_commitment(&body.commitment).map_err(|e| Failure::invalid(e.to_string()))?;
    scheme.verify(&commitment, &body.claims, &body.proof).map_err(|e| Failure::invalid(e.to_string()))?;
    let base = base_of(params.fields);
    let claims = words(&body.claims.forms, &body.claims.values, &subject, base);
    let bits = scheme.report().proven_bits();
    Ok(Verified { params, subject, commitment: body.commitment, claims, bits })
}

/// The claims in words. Values are read as signed integers; sums are proven modulo the field's prime.
fn words<E: Field>(forms: &[Tensor<E>], values: &[Vec<E>], subject: &Subject, base: Base) -> Vec<String> {
    let values: Vec<E> = values.iter().map(|v| v.first().copied().unwrap_or(E::ZERO)).collect();
    let mut claims = Vec::new();
    let mut at = 0;
    while let Some(form) = forms.get(at) {
        let tiles = forms::blocks::<E>(subject.rows, form.variables());
        // One row is an entry and a sum at once: called an entry.
        if tiles.len() + at <= forms.len() && subject.rows > 1 && forms[at..].starts_with(&tiles) {
            let sum: E = values[at..at + tiles.len()].iter().copied().sum();
            claims.push(sum_in_words(sum, subject, base));
            at += tiles.len();
        } else {
            claims.push(entry_in_words(form, values[at], subject, base));
            at += 1;
        }
    }
    claims
}

fn bytes<E: Field>(value: E) -> Vec<u8> {
    let mut bytes = vec![0; E::BYTES];
    value.write(&mut bytes);
    bytes
}

fn sum_in_words<E: Field>(sum: E, subject: &Subject, base: Base) -> String {
    let bytes = bytes(sum);
    let mean = base.decode(&bytes).map_or(String::new(), |sum| format!("; mean {}", mean(sum, subject)));
    format!(
        "the sum of all {} rows of {} is {} (modulo the {} prime{mean})",
        units::count(subject.rows),
        subject.shown(),
        base.text(&bytes, subject.scale),
        base.name()
    )
}

fn entry_in_words<E: Field>(form: &Tensor<E>, value: E, subject: &Subject, base: Base) -> String {
    let (value, name) = (base.text(&bytes(value), subject.scale), subject.shown());
    match row(form) {
        Some(row) if row < subject.rows => format!("row {row} of {name} is {value}"),
        Some(row) => format!("padding row {row} of {name} is {value}"),
        None => {
            format!("{} of {name} and its padding{} is {value}", form_in_words(form), factors(form, base))
        }
    }
}

/// Whether every factor is `(1 - z, z)`.
fn is_point<E: Field>(form: &Tensor<E>) -> bool {
    form.factors().iter().all(|&[a, b]| a + b == E::ONE)
}

fn form_in_words<E: Field>(form: &Tensor<E>) -> &'static str {
    if is_point(form) { "the multilinear extension" } else { "the linear form" }
}

/// What tells a form from all others: the coordinates of a point, or the pair of each variable, lowest index bit first.
fn factors<E: Field>(form: &Tensor<E>, base: Base) -> String {
    let text = |x: E| base.text(&bytes(x), 0);
    let pair = |&[a, b]: &[E; 2]| format!("({}, {})", text(a), text(b));
    if is_point(form) {
        let z: Vec<String> = form.factors().iter().map(|&[_, z]| text(z)).collect();
        format!(" at ({})", z.join(", "))
    } else {
        let pairs: Vec<String> = form.factors().iter().map(pair).collect();
        format!(" with factors {}", pairs.join(" "))
    }
}

/// The mean to three more digits than the column has.
fn mean(sum: i128, subject: &Subject) -> String {
    let digits = 3.min(18u32.saturating_sub(subject.scale));
    let (rows, factor) = (i128::from(subject.rows.max(1)), 10i128.pow(digits));
    // The whole part first: the sum times a power of ten may not fit.
    let (whole, rest) = (sum / rows, sum % rows * factor / rows);
    match whole.checked_mul(factor).and_then(|whole| whole.checked_add(rest)) {
        Some(scaled) => decimal::format(scaled, subject.scale + digits),
        None => decimal::format(whole, subject.scale),
    }
}

/// The row that a form picks, if it picks one.
fn row<E: Field>(form: &Tensor<E>) -> Option<u64> {
    let bit = |factor: &[E; 2]| match *factor {
        [a, b] if a == E::ONE && b == E::ZERO => Some(0),
        [a, b] if a == E::ZERO && b == E::ONE => Some(1),
        _ => None,
    };
    form.factors().iter().rev().try_fold(0u64, |row, factor| Some(row << 1 | bit(factor)?))
}

/// The command.
pub fn run(args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let verified = describe(&read_file(&args.proof)?, args.min_bits)?;
    let proved = verified.committed();
    if let Some(path) = &args.commitment
        && Committed::decode(&read_file(path)?)? != proved
    {
        return Err(Failure::invalid(format!(
            "the proof is about another commitment than {}",
            path.display()
        )));
    }
    let root = units::hex(verified.commitment.get(..32).unwrap_or_default());
    let fingerprint = proved.fingerprint();
    let openings = verified.params.hidden_openings;
    if common.json {
        output::line(format_args!(
            "{:#}",
            json!({ "valid": true, "claims": verified.claims, "proven_bits": verified.bits, "root": root,
                "fingerprint": fingerprint,
                "field": verified.params.fields.name(), "rows": verified.subject.rows,
                "hidden_openings": openings,
                "source_blake3": (openings == 0).then(|| units::hex(&verified.subject.source)) })
        ));
    } else if !common.quiet {
        let paint = Paint::stderr();
        for claim in &verified.claims {
            eprintln!("{} {claim}", paint.green("valid:"));
        }
        eprintln!("  {:.1} proven bits ({})", verified.bits, verified.params.regime);
        eprintln!("  fingerprint of the commitment {fingerprint}");
        if openings > 0 {
            eprintln!("  the commitment hides: made for {openings} hidden opening(s) of one value each");
        }
        if args.commitment.is_none() {
            eprintln!("  compare the fingerprint with the one you were given, or pass --commitment");
        }
    }
    Ok(Exit::Valid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::What;
    use crate::commands::{open, scheme, subject::Subject};
    use pcs::fields::Fields;
    use pcs::pip::Prover;
    use pcs::pip::search::{Profile, Wanted, find};

    /// The file that a prover makes for `entries`, saying that only `rows` of them are data.
    fn proof(
        entries: &[u64],
        rows: u64,
        forms: impl Fn(usize) -> Vec<Tensor<field::Goldilocks3>>,
    ) -> Vec<u8> {
        let variables = entries.len().trailing_zeros();
        let params = find(&Wanted::new(Fields::Goldilocks3, variables, 100, Profile::Fast)).unwrap();
        let scheme =
            crate::commands::scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, 100)
                .unwrap();
        let data = entries.iter().map(|&x| field::Goldilocks::from_u64(x)).collect();
        let mut witness = Prover::new(&scheme).commit(data);
        let subject = Subject { name: "x".into(), rows, scale: 0, bytes: None, source: [0; 32] };
        open::prove(&scheme, &mut witness, &subject, forms(variables as usize))
    }

    /// Padding is not proven to be zero: a sum over all entries must not be read as a sum over the rows.
    #[test]
    fn liar_who_hides_a_number_in_the_padding() {
        let whole = proof(&[1, 2, 3, 1000], 3, |n| vec![Tensor::sum(n)]);
        let claims = describe(&whole, 100).unwrap().claims;
        assert_eq!(claims, ["the linear form of x and its padding with factors (1, 1) (1, 1) is 1006"]);
        let what = What { sum: true, ..What::default() };
        let tiled = proof(&[1, 2, 3, 1000], 3, |n| forms::forms(&what, 3, n as u32).unwrap());
        let claims = describe(&tiled, 100).unwrap().claims;
        assert_eq!(claims, ["the sum of all 3 rows of x is 6 (modulo the goldilocks prime; mean 2.000)"]);
    }

    /// A name is the prover's: it must not be able to look like a verdict of its own.
    #[test]
    fn liar_who_writes_a_claim_into_the_name() {
        let params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
        let scheme = scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, 100).unwrap();
        let said = |name: &str| {
            let data = [1, 2, 3, 4].map(field::Goldilocks::from_u64).to_vec();
            let mut witness = Prover::new(&scheme).commit(data);
            let subject = Subject { name: name.into(), rows: 4, scale: 0, bytes: None, source: [0; 32] };
            let file = open::prove(&scheme, &mut witness, &subject, vec![Tensor::index(0, 2)]);
            describe(&file, 100).unwrap().claims.remove(0)
        };
        assert_eq!(said("price"), "row 0 of price is 1");
        assert_eq!(said("délai-2.csv"), "row 0 of délai-2.csv is 1");
        assert_eq!(said("x is 9\nvalid: row 1 of x"), "row 0 of \"x is 9\\nvalid: row 1 of x\" is 1");
        assert_eq!(said("x\u{1b}[2K\u{202e}"), "row 0 of \"x\\u{1b}[2K\\u{202e}\" is 1");
        assert_eq!(said("the \"x\" of"), "row 0 of \"the \\\"x\\\" of\" is 1");
        assert_eq!(said(""), "row 0 of \"\" is 1");
    }

    /// Every value of a verified claim is said, so what has no words is refused: a second column beside the one described.
    #[test]
    fn liar_with_a_second_column() {
        let mut params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
        params.polynomials = 2;
        let scheme = scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, 90).unwrap();
        let data = [[1, 2, 3, 4], [5, 6, 7, 8]].map(|column| column.map(field::Goldilocks::from_u64));
        let mut witness = Prover::new(&scheme).commit_batch(&[&data[0], &data[1]]);
        let subject = Subject { name: "x".into(), rows: 4, scale: 0, bytes: None, source: [0; 32] };
        let file = open::prove(&scheme, &mut witness, &subject, vec![Tensor::index(0, 2)]);
        assert!(describe(&file, 90).unwrap_err().message.contains("several columns"));
    }

    /// One root, two readings: whoever compares commitments must not compare roots. A proof may state another scale, name or
    /// number of rows than the commitment file, and a leaf of few elements is a leaf of more that are zero.
    #[test]
    fn liar_who_reads_the_root_in_another_way() {
        use field::{KoalaBear, KoalaBear5};
        let find = |variables| find(&Wanted::new(Fields::KoalaBear5, variables, 100, Profile::Fast)).unwrap();
        let said = |params: &Params, data: Vec<KoalaBear>, scale| {
            let scheme = scheme::validated::<KoalaBear, KoalaBear5>(params, 100).unwrap();
            let rows = data.len() as u64;
            let mut witness = Prover::new(&scheme).commit(data);
            let subject = Subject { name: "x".into(), rows, scale, bytes: None, source: [0; 32] };
            let form = Tensor::index(8, params.log_size as usize);
            let verified = describe(&open::prove(&scheme, &mut witness, &subject, vec![form]), 100).unwrap();
            let root = verified.commitment[..32].to_vec();
            (root, verified.committed().fingerprint(), verified.claims[0].clone())
        };
        let mut narrow = find(6);
        narrow.level.log_columns = 3;
        narrow.inner = pcs::pip::Inner::Recursion(vec![]);
        let data: Vec<KoalaBear> = (1..=64).map(KoalaBear::from_u64).collect();
        let (root, fingerprint, claim) = said(&narrow, data.clone(), 2);
        assert_eq!(claim, "row 8 of x is 0.09");
        let mut wide = Params { log_size: 7, ..narrow.clone() };
        wide.level.log_columns = 4;
        let padded = data.chunks(8).flat_map(|row| row.iter().copied().chain([KoalaBear::ZERO; 8])).collect();
        for (params, data, claimed) in [(&narrow, data.clone(), "9"), (&wide, padded, "0")] {
            let other = said(params, data, 0);
            assert_eq!(other.2, format!("row 8 of x is {claimed}"));
            assert_eq!(other.0, root, "one root");
            assert_ne!(other.1, fingerprint, "not one commitment");
        }
    }

    /// Sums over blocks that leave a row out are no sum of all rows.
    #[test]
    fn liar_who_leaves_a_row_out() {
        let partial = proof(&[1, 2, 3, 4], 3, |n| forms::blocks(3, n)[..1].to_vec());
        assert!(
            describe(&partial, 100).unwrap().claims[0]
                .starts_with("the linear form of x and its padding with factors (1, 1) (1, 0) is 3")
        );
    }

    #[test]
    fn every_number_of_rows_is_tiled() {
        for rows in 1..=16u64 {
            let tiles = forms::blocks::<field::Goldilocks>(rows, 4);
            let covered: Vec<u64> = (0..16)
                .filter(|&i| tiles.iter().any(|t| t.expand()[i as usize] != field::Goldilocks::ZERO))
                .collect();
            assert_eq!(covered, (0..rows).collect::<Vec<_>>());
            let ones: u64 = tiles
                .iter()
                .map(|t| t.expand().iter().filter(|&&w| w != field::Goldilocks::ZERO).count() as u64)
                .sum();
            assert_eq!(ones, rows, "no row counts twice");
        }
    }
}
