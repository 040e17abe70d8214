//! The corpus of proof files with the verdict that every front end has on them (`vectors/verdicts`): valid, invalid, malformed and odd ones.
//!
//! `TENFOLD_WRITE_VERDICTS=1` writes the files anew.

use field::{Field, Goldilocks, Goldilocks2};
use iop::hash::Hash;
use iop::security::{Policy, Regime};
use pcs::fields::Fields;
use pcs::file::{Committed, File, Kind, Opening, SchemeId};
use pcs::ligerito::{self, Entries};
use pcs::pip::{self, Inner, Prover, RoundParams, Scheme, Secret};
use pcs::product::{self, Scheme as Product};
use pcs::{Claims, deepfold};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tenfold::any::{Form, Mode, Weights};
use tenfold::statement::{
    BytesDescription, ColumnContext, ColumnDescription, Description, Sums, TableContext, TableDescription,
};
use tenfold::verify::{Limits, verify};
use tenfold::{AnyParams, AnyScheme, CommitmentFile};

/// Parameters so small that their proofs are short prove few bits.
const ANY: Policy = Policy::at_least(0);

/// A proof file with what its verifier is given.
struct Case {
    name: &'static str,
    proof: Vec<u8>,
    commitment: Vec<u8>,
    weights: Option<Given>,
    min_bits: u32,
    verdict: &'static str,
}

/// Weights: numbers, whose canonical bytes over the case's field are as given, or the bytes of a file.
#[derive(Clone)]
enum Given {
    Numbers(&'static [i64]),
    Bytes(&'static [u8]),
}

fn level(log_columns: u32, queries: u32) -> RoundParams {
    RoundParams { log_columns, log_inv_rate: 1, queries, grinding: 1, fold_grinding: 0 }
}

fn pip_params(polynomials: u32) -> pip::Params {
    pip::Params {
        fields: Fields::Goldilocks2,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        entries: Entries::Whole,
        log_size: 4,
        polynomials,
        max_forms: 8,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: level(2, 3),
        inner: Inner::Recursion(vec![]),
    }
}

fn ligerito_params(entries: Entries) -> ligerito::Params {
    ligerito::Params {
        fields: ligerito::Fields::Gf128,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        entries,
        log_size: 4,
        polynomials: 1,
        max_forms: 8,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: level(2, 3),
        inner: Inner::Recursion(vec![]),
    }
}

/// Of Air-FRI: one chain, digests of 48 bytes.
fn air_params(fields: ligerito::Fields, entries: Entries) -> ligerito::Params {
    let level = RoundParams { log_columns: 0, ..level(0, 3) };
    let inner = Inner::Chain(vec![2, 1]);
    ligerito::Params { fields, hash: Hash::Sha3_384, level, inner, ..ligerito_params(entries) }
}

fn column(rows: u64) -> ColumnDescription {
    ColumnDescription { name: "price".into(), rows, scale: 2, bytes: None, source: [7; 32] }
}

fn context(rows: u64, weights_scale: Option<u32>, mean: bool) -> Vec<u8> {
    ColumnContext { column: column(rows), weights_scale, sums: Sums::of(mean) }.encode()
}

fn bytes(length: u64) -> Vec<u8> {
    BytesDescription { name: "file.bin".into(), length, source: [8; 32] }.encode()
}

/// Commits to numbers or bytes, and proves forms, or a weighted sum if there are weights.
fn proof(scheme: &AnyScheme, forms: &[Form], context: &[u8], weights: Option<Weights<'_>>) -> File<'static> {
    let mut prover = scheme.prover();
    let entries = if scheme.id().is_of_bytes() {
        // The files of Ligerito are of zeros, as they were when it was the only scheme of bytes.
        let places = (scheme.summary().entry_elements * scheme.summary().bytes[0]) << 4;
        let length = if scheme.id() == SchemeId::Ligerito { 0 } else { places };
        let data: Vec<u8> = (0..length).map(|i| (i as u8).wrapping_mul(37) ^ 5).collect();
        prover.bytes(&mut &data[..]).unwrap().unwrap()
    } else {
        prover.integers(&mut (1..=16).map(|i| i * i - 40)).unwrap()
    };
    let mut witness = match scheme.summary().hidden_openings {
        0 => prover.commit(entries),
        _ => prover.commit_as(entries, Mode::Hiding(Secret::from_seed(&[3; 32], 0))),
    };
    match weights {
        None => prover.open(&mut witness, forms, context).unwrap().file,
        Some(weights) => {
            let weights = prover.weights(weights).unwrap();
            prover.open_weighted(&mut witness, weights, context, &ANY).unwrap()
        }
    }
}

/// The commitment file that a proof is about, by what its context begins with.
fn commitment(proof: &File<'_>, description: &[u8]) -> Vec<u8> {
    // Every body begins with the commitment and its length.
    let (length, rest) = proof.body.split_at(8);
    let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
    let body = Committed { description: description.to_vec(), commitment: rest[..length].to_vec() };
    let params = AnyParams::decode(proof.scheme, &proof.params).unwrap();
    let (statement, params) = (body.digest(params.hash()).head(), proof.params.clone());
    let body = body.encode().into();
    File { kind: Kind::Commitment, params, statement, body, ..proof.clone() }.encode()
}

/// Cases whose proof holds, or does for who reads no description.
fn proven() -> Vec<Case> {
    let pip = AnyScheme::from_matrix(pip_params(1), &ANY).unwrap();
    let hiding =
        pip::Params { hidden_openings: 1, max_forms: 1, log_size: 8, level: level(3, 2), ..pip_params(1) };
    let hiding = AnyScheme::from_matrix(hiding, &ANY).unwrap();
    let target = deepfold::Target::new(Fields::Goldilocks2, [4, 1, 1], 5.0);
    let deepfold = AnyScheme::from_deepfold(deepfold::Params::for_target(&target).unwrap(), &ANY).unwrap();
    let ligerito = |entries| AnyScheme::from_matrix(ligerito_params(entries), &ANY).unwrap();
    let mut cases = Vec::new();
    let mut add =
        |name, scheme: &AnyScheme, forms: &[Form], (context, description): (Vec<u8>, Vec<u8>), verdict| {
            let proof = proof(scheme, forms, &context, None);
            let commitment = commitment(&proof, &description);
            cases.push(Case { name, commitment, proof: proof.encode(), weights: None, min_bits: 0, verdict });
        };
    let of = |rows| (context(rows, None, false), column(rows).encode());
    let mean = |rows| (context(rows, None, true), column(rows).encode());
    let of_bytes = |length| (bytes(length), bytes(length));
    let point = pip.point(&[3, 1, 4, 1]);
    add("a row", &pip, &[Form::Entry(2)], of(13), "valid");
    add("a row of the padding", &pip, &[Form::Entry(13)], of(13), "valid");
    add(
        "rows, a point and a sum",
        &pip,
        &[&[Form::Entry(0), point][..], &Form::first(13, 4)].concat(),
        of(13),
        "valid",
    );
    add("a mean", &pip, &Form::first(13, 4), mean(13), "valid");
    add("a mean of one row", &pip, &[Form::Entry(0)], mean(1), "valid");
    add("a mean without its sum", &pip, &[Form::Entry(2)], mean(13), "invalid");
    add("a mean of fewer rows", &pip, &Form::first(12, 4), mean(13), "invalid");
    add("a sum over all places", &pip, &[Form::Block { start: 0, log_length: 4 }], of(13), "valid");
    add("no rows", &pip, &[Form::Entry(0)], of(0), "invalid");
    add("more rows than places", &pip, &[Form::Entry(2)], of(17), "invalid");
    add("as many rows as places", &pip, &[Form::Entry(2)], of(16), "valid");
    let label = || (b"a label".to_vec(), b"a label".to_vec());
    add("a description of another application", &pip, &[Form::Entry(2)], label(), "malformed");
    add("a description of a file of bytes", &pip, &[Form::Entry(2)], of_bytes(13), "malformed");
    let longer = || ([context(13, None, false), vec![2]].concat(), column(13).encode());
    add("a byte behind the description", &pip, &[Form::Entry(2)], longer(), "malformed");
    add("a hidden row", &hiding, &[Form::Entry(2)], of(200), "valid");
    add("DeepFold", &deepfold, &[Form::Entry(2)], of(13), "valid");
    for (name, entries, row) in
        [("a bit", Entries::Bits, 2000), ("a byte", Entries::Bytes, 250), ("a word", Entries::Words32, 62)]
    {
        add(name, &ligerito(entries), &[Form::Entry(row)], of_bytes(251), "valid");
    }
    let byte = ligerito(Entries::Bytes);
    add("a byte of the padding", &byte, &[Form::Entry(252)], of_bytes(251), "valid");
    add("a file without bytes", &byte, &[Form::Entry(0)], of_bytes(0), "invalid");
    add("a file longer than its commitment", &byte, &[Form::Entry(0)], of_bytes(257), "invalid");
    add("a description of a column", &byte, &[Form::Entry(0)], of(13), "malformed");
    let one = (context(13, None, false), column(13).encode());
    cases.push(two_columns("two columns", &[Form::Entry(2)], one, "invalid"));
    cases
}

/// Openings by Air-FRI, with digests of 48 bytes.
fn air() -> Vec<Case> {
    let scheme = |fields, entries| AnyScheme::from_matrix(air_params(fields, entries), &ANY).unwrap();
    let mut cases = Vec::new();
    let mut add = |name, scheme: &AnyScheme, forms: &[Form], context: &[u8], verdict| {
        let proof = proof(scheme, forms, context, None);
        let commitment = commitment(&proof, context);
        cases.push(Case { name, commitment, proof: proof.encode(), weights: None, min_bits: 0, verdict });
    };
    let byte = scheme(ligerito::Fields::Gf320, Entries::Bytes);
    add("Air-FRI: a byte", &byte, &[Form::Entry(100)], &bytes(121), "valid");
    add("Air-FRI: a file longer than its commitment", &byte, &[Form::Entry(0)], &bytes(129), "invalid");
    add("Air-FRI: a description of a column", &byte, &[Form::Entry(0)], &column(13).encode(), "malformed");
    let bit = scheme(ligerito::Fields::Gf256, Entries::Bits);
    add("Air-FRI: bits", &bit, &[Form::Entry(7), Form::Entry(1000)], &bytes(251), "valid");
    let element = scheme(ligerito::Fields::Gf192, Entries::Extension);
    add("Air-FRI: an element of the challenge field", &element, &[Form::Entry(3)], &bytes(121), "invalid");
    cases
}

/// Openings of matrices whose leaves have parts: a column each, several, or one of all rows of a fibre.
fn parts() -> Vec<Case> {
    let pip = |log_parts| pip::Params { log_parts, ..pip_params(1) };
    let ligerito = ligerito::Params { log_parts: 1, ..ligerito_params(Entries::Bytes) };
    let air = air_params(ligerito::Fields::Gf320, Entries::Bytes);
    let air = ligerito::Params { log_parts: 1, level: RoundParams { log_columns: 1, ..air.level }, ..air };
    let row = || (context(13, None, false), column(13).encode());
    let mut cases = Vec::new();
    let mut add = |name, params, form, (context, description): (Vec<u8>, Vec<u8>)| {
        let scheme = AnyScheme::from_matrix(params, &ANY).unwrap();
        let proof = proof(&scheme, &[Form::Entry(form)], &context, None);
        let commitment = commitment(&proof, &description);
        let proof = proof.encode();
        cases.push(Case { name, commitment, proof, weights: None, min_bits: 0, verdict: "valid" });
    };
    add("a row of leaves of two parts", pip(1), 2, row());
    add("a row of leaves of four parts", pip(2), 2, row());
    add("a byte of leaves of two parts", ligerito, 250, (bytes(251), bytes(251)));
    add("Air-FRI: a byte of leaves of two parts", air, 100, (bytes(121), bytes(121)));
    // The byte behind the fields' is the number of parts, which has no zero.
    let file = File::decode(&cases[0].proof).unwrap();
    let params = [&file.params[..1], &[0], &file.params[2..]].concat();
    let (proof, commitment) = (File { params, ..file.clone() }.encode(), cases[0].commitment.clone());
    let name = "a second encoding of leaves without parts";
    cases.push(Case { name, proof, commitment, weights: None, min_bits: 0, verdict: "malformed" });
    cases
}

/// Forms of two columns, under any context.
fn two_columns(
    name: &'static str,
    forms: &[Form],
    (context, description): (Vec<u8>, Vec<u8>),
    verdict: &'static str,
) -> Case {
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(pip_params(2), &ANY).unwrap();
    let columns = [3, 5].map(|step| (0..16).map(|i| Goldilocks::from_u64(i * step)).collect::<Vec<_>>());
    let mut witness = Prover::new(&scheme).commit_batch(&[&columns[0], &columns[1]]);
    let forms = forms.iter().map(|form| form.to_tensor(4).unwrap()).collect();
    let (claims, proof) = Prover::new(&scheme).open(&mut witness, forms, &context);
    let file = File::from_opening(&scheme, witness.commitment(), claims, proof);
    let (commitment, proof) = (commitment(&file, &description), file.encode());
    Case { name, proof, commitment, weights: None, min_bits: 0, verdict }
}

/// Columns of a table, with the descriptions that there are of them and others.
fn tables() -> Vec<Case> {
    let table = |columns: &[(&str, u64)]| {
        let of = |&(name, rows): &(&str, u64)| ColumnDescription { name: name.into(), ..column(rows) };
        TableDescription { name: "table.csv".into(), columns: columns.iter().map(of).collect() }
    };
    let of = |table: TableDescription, mean| {
        let description = table.encode();
        (TableContext { table, weights_scale: None, sums: Sums::of(mean) }.encode(), description)
    };
    let both = || table(&[("left", 13), ("right", 13)]);
    let longer = || ([of(both(), true).0, vec![1]].concat(), both().encode());
    let three = table(&[("left", 13), ("right", 13), ("third", 13)]);
    let forms = [&[Form::Entry(2)][..], &Form::first(13, 4)].concat();
    let case = |name, of, verdict| two_columns(name, &forms, of, verdict);
    vec![
        case("two columns of a table", of(both(), false), "valid"),
        case("means of two columns", of(both(), true), "valid"),
        case("sums of fewer rows of two columns", of(table(&[("a", 9), ("b", 9)]), true), "invalid"),
        case("more rows than places of two columns", of(table(&[("a", 17), ("b", 17)]), false), "invalid"),
        case("three columns where there are two", of(three, false), "invalid"),
        case("a table of one column", of(table(&[("left", 13)]), false), "malformed"),
        case("two columns of one name", of(table(&[("a", 13), ("a", 13)]), false), "malformed"),
        case("two columns of different lengths", of(table(&[("a", 13), ("b", 12)]), false), "malformed"),
        case("a byte behind a table", longer(), "malformed"),
    ]
}

/// Sums of two columns by weights, under any context.
fn weighted_columns(
    name: &'static str,
    (used, given): (&'static [i64], &'static [i64]),
    (context, description): (Vec<u8>, Vec<u8>),
    verdict: &'static str,
) -> Case {
    let scheme = AnyScheme::from_matrix(pip_params(2), &ANY).unwrap();
    let mut prover = scheme.prover();
    let column = |step: i128| (0..16).map(move |i| i * step);
    let columns = prover.columns(vec![Box::new(column(3)), Box::new(column(5))]).unwrap();
    let mut witness = prover.commit(columns);
    let get = |i: usize| i128::from(used[i]);
    let weights = prover.weights(Weights::Integers { count: used.len(), get: &get, scale: 0 }).unwrap();
    let file = prover.open_weighted(&mut witness, weights, &context, &ANY).unwrap();
    let (commitment, proof) = (commitment(&file, &description), file.encode());
    Case { name, proof, commitment, weights: Some(Given::Numbers(given)), min_bits: 0, verdict }
}

/// Weighted sums of tables, with descriptions and weights of others.
fn weighted_tables() -> Vec<Case> {
    const OTHERS: &[i64] = &[1, -2, 3, 0, 5, 6, 7, 8, 9, 10, 11, -12, 14];
    const NOTHING: &[i64] = &[1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let table = |names: &[&str]| {
        let of = |name: &&str| ColumnDescription { name: (*name).into(), ..column(13) };
        TableDescription { name: "table.csv".into(), columns: names.iter().map(of).collect() }
    };
    let of = |names: &[&str], weights_scale, mean| {
        let table = table(names);
        let description = table.encode();
        (TableContext { table, weights_scale, sums: Sums::of(mean) }.encode(), description)
    };
    let (both, own) = (["left", "right"], (NUMBERS, NUMBERS));
    let alone = || (context(13, Some(0), false), table(&both).encode());
    vec![
        weighted_columns("weighted sums of two columns", own, of(&both, Some(0), false), "valid"),
        weighted_columns("weighted means of two columns", own, of(&both, Some(0), true), "valid"),
        weighted_columns(
            "weighted sums of two columns by other weights",
            (NUMBERS, OTHERS),
            of(&both, Some(0), false),
            "invalid",
        ),
        weighted_columns(
            "weighted means of two columns by weights that add up to nothing",
            (NOTHING, NOTHING),
            of(&both, Some(0), true),
            "invalid",
        ),
        weighted_columns(
            "weighted sums of three columns where there are two",
            own,
            of(&["left", "right", "third"], Some(0), false),
            "invalid",
        ),
        weighted_columns("weighted sums of two columns, one described", own, alone(), "invalid"),
        weighted_columns("sums of two columns without weights", own, of(&both, None, true), "malformed"),
    ]
}

/// The inner product of two columns of thirteen rows, over so many, under any context.
fn inner_product(
    name: &'static str,
    rows: u64,
    (context, description): (Vec<u8>, Vec<u8>),
    verdict: &'static str,
) -> Case {
    let params = pip_params(2);
    let scheme = Product::<Scheme<Goldilocks, Goldilocks2>>::new(params.clone(), &ANY).unwrap();
    let row = |i: u64, step| Goldilocks::from_u64(if i < 13 { i * step + 1 } else { 0 });
    let columns = [3, 5].map(|step| (0..16).map(|i| row(i, step)).collect::<Vec<_>>());
    let mut witness = Prover::new(scheme.inner()).commit_batch(&[&columns[0], &columns[1]]);
    let (statement, proof) = product::open(&scheme, &mut witness, ([0, 1], rows), &context);
    let commitment_bytes = witness.commitment().to_bytes();
    let digest = statement.digest(params.hash, &commitment_bytes).head();
    let params = AnyParams::from(params);
    let body = product::Opening { commitment: commitment_bytes.clone(), statement, proof: proof.into() };
    let file = File {
        kind: Kind::Product,
        scheme: SchemeId::Pip,
        params: params.encode(),
        params_digest: params.digest().head(),
        statement: digest,
        body: body.encode().into(),
    };
    let commitment = CommitmentFile {
        params,
        description: Description::Table(TableDescription::decode(&description).unwrap()),
        commitment: commitment_bytes,
    };
    let (commitment, proof) = (commitment.to_bytes(), file.encode());
    Case { name, proof, commitment, weights: None, min_bits: 0, verdict }
}

/// Inner products, and descriptions that are of others.
fn products() -> Vec<Case> {
    let of = |rows: u64, sums| {
        let columns = ["left", "right"].map(|name| ColumnDescription { name: name.into(), ..column(rows) });
        let table = TableDescription { name: "table.csv".into(), columns: columns.into() };
        let description = table.encode();
        (TableContext { table, weights_scale: None, sums }.encode(), description)
    };
    vec![
        inner_product("an inner product", 13, of(13, Sums::default()), "valid"),
        inner_product("an inner product over rows of zeros", 16, of(16, Sums::default()), "valid"),
        inner_product("an inner product of fewer rows", 12, of(12, Sums::default()), "invalid"),
        inner_product("an inner product of other rows", 13, of(14, Sums::default()), "invalid"),
        inner_product("an inner product with a mean", 13, of(13, Sums::of(true)), "invalid"),
    ]
}

const NUMBERS: &[i64] = &[1, -2, 3, 0, 5, 6, 7, 8, 9, 10, 11, -12, 13];
const WEIGHTS: &[u8] = b"weights, as many as the file has bytes";

/// Weighted sums, with their weights and with others.
fn weighted() -> Vec<Case> {
    let pip = AnyScheme::from_matrix(pip_params(1), &ANY).unwrap();
    let byte = AnyScheme::from_matrix(ligerito_params(Entries::Bytes), &ANY).unwrap();
    let integers = |numbers: &'static [i64], call: &mut dyn FnMut(Weights<'_>)| {
        let get = |i: usize| i128::from(numbers[i]);
        call(Weights::Integers { count: numbers.len(), get: &get, scale: 0 });
    };
    let mut cases = Vec::new();
    let mut add = |name, (proof, commitment): (&File<'_>, &[u8]), weights, verdict| {
        cases.push(Case {
            name,
            proof: proof.encode(),
            commitment: commitment.to_vec(),
            weights,
            min_bits: 0,
            verdict,
        });
    };
    for (mean, name) in [(false, "a weighted sum"), (true, "a weighted mean")] {
        let mut file = None;
        integers(NUMBERS, &mut |weights| {
            file = Some(proof(&pip, &[], &context(13, Some(0), mean), Some(weights)));
        });
        let file = file.unwrap();
        let commitment = commitment(&file, &column(13).encode());
        add(name, (&file, &commitment), Some(Given::Numbers(NUMBERS)), "valid");
        if !mean {
            let both = (&file, &commitment[..]);
            add(
                "a weighted sum by other weights",
                both,
                Some(Given::Numbers(&[1, -2, 3, 0, 5, 6, 7, 8, 9, 10, 11, -12, 14])),
                "invalid",
            );
            add("a weighted sum by fewer weights", both, Some(Given::Numbers(&[1, -2, 3])), "malformed");
            add("a weighted sum by more weights", both, Some(Given::Numbers(&[1; 14])), "malformed");
        }
    }
    let mut file = None;
    integers(&[1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], &mut |weights| {
        file = Some(proof(&pip, &[], &context(13, Some(0), true), Some(weights)));
    });
    let file = file.unwrap();
    let nothing = Given::Numbers(&[1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    add(
        "a mean by weights that add up to nothing",
        (&file, &commitment(&file, &column(13).encode())),
        Some(nothing),
        "invalid",
    );
    let length = WEIGHTS.len() as u64;
    let file = proof(&byte, &[], &bytes(length), Some(Weights::Bytes(WEIGHTS)));
    let commitment = commitment(&file, &bytes(length));
    add("an inner product", (&file, &commitment), Some(Given::Bytes(WEIGHTS)), "valid");
    add(
        "an inner product with other bytes",
        (&file, &commitment),
        Some(Given::Bytes(b"WEIGHTS, as many as the file has bytes")),
        "invalid",
    );
    add(
        "an inner product with fewer bytes",
        (&file, &commitment),
        Some(Given::Bytes(b"weights")),
        "malformed",
    );
    cases
}

/// One change to a file that is otherwise as it should be.
fn changed() -> Vec<Case> {
    let base = || proven().swap_remove(0);
    let (honest, commitment) = (base().proof, base().commitment);
    let file = || File::decode(&honest).unwrap();
    let mut cases = Vec::new();
    let mut add = |name, proof: Vec<u8>, verdict| {
        cases.push(Case { name, proof, commitment: commitment.clone(), weights: None, min_bits: 0, verdict });
    };
    let bytes = |edit: fn(&mut Vec<u8>)| {
        let mut bytes = honest.clone();
        edit(&mut bytes);
        bytes
    };
    add("another magic", bytes(|b| b[0] ^= 1), "malformed");
    add("another version", bytes(|b| b[4] = 9), "malformed");
    add("an unknown kind", bytes(|b| b[6] = 99), "malformed");
    add("an unknown scheme", bytes(|b| b[7] = 99), "malformed");
    add("cut short", bytes(|b| b.truncate(b.len() - 1)), "malformed");
    add("a byte more", bytes(|b| b.push(0)), "malformed");
    add("no bytes", Vec::new(), "malformed");
    add("the last byte changed", bytes(|b| *b.last_mut().unwrap() ^= 1), "invalid");
    add("a commitment", commitment.clone(), "malformed");
    add("a file about a ring", File { scheme: SchemeId::Ring, ..file() }.encode(), "malformed");
    add("a list of members", File { kind: Kind::Members, ..file() }.encode(), "malformed");
    add(
        "parameters with a byte more",
        File { params: [file().params, vec![0]].concat(), ..file() }.encode(),
        "malformed",
    );
    add("another digest of the parameters", File { params_digest: [1; 32], ..file() }.encode(), "invalid");
    add("another digest of the statement", File { statement: [1; 32], ..file() }.encode(), "invalid");
    let edited = |edit: fn(&mut Claims<Goldilocks2>)| {
        let mut file = file();
        let mut body = Opening::<Goldilocks2>::decode(&file.body).unwrap();
        edit(&mut body.claims);
        let statement = body.claims.digest(Hash::Blake3, &body.commitment);
        let body = body.encode();
        file.statement = statement.head();
        File { body: body.into(), ..file }.encode()
    };
    add("another value", edited(|c| c.values[0][0] += Goldilocks2::ONE), "invalid");
    add("another row", edited(|c| c.forms[0] = Form::Entry(3).to_tensor(4).unwrap()), "invalid");
    add("another number of rows", edited(|c| c.context = context(12, None, false)), "invalid");
    let more = Case { name: "more bits than are proven", min_bits: 60, verdict: "invalid", ..base() };
    cases.push(more);
    let weights = Some(Given::Numbers(NUMBERS));
    cases.push(Case {
        name: "weights for a proof that has none",
        weights,
        verdict: "not accepted",
        ..base()
    });
    let missing = weighted().swap_remove(0);
    cases.push(Case {
        name: "a weighted sum without weights",
        weights: None,
        verdict: "not accepted",
        ..missing
    });
    cases
}

/// The field and the hash of the level l5: digests of 64 bytes.
fn wide() -> Vec<Case> {
    let params = air_params(ligerito::Fields::Gf320, Entries::Bytes);
    let scheme = AnyScheme::from_matrix(ligerito::Params { hash: Hash::Sha3_512, ..params }, &ANY).unwrap();
    let proof = proof(&scheme, &[Form::Entry(100)], &bytes(121), None);
    let commitment = commitment(&proof, &bytes(121));
    let name = "Air-FRI: a byte, by digests of 64 bytes";
    vec![Case { name, commitment, proof: proof.encode(), weights: None, min_bits: 0, verdict: "valid" }]
}

/// A leaf of several fibres is a chain's over binary fields.
fn shared_leaves() -> Vec<Case> {
    let params = air_params(ligerito::Fields::Gf320, Entries::Bytes);
    let scheme = ligerito::Params { log_leaf_fibres: 1, ..params };
    let scheme = AnyScheme::from_matrix(scheme, &ANY).unwrap();
    let proof = proof(&scheme, &[Form::Entry(100)], &bytes(121), None);
    let commitment = commitment(&proof, &bytes(121));
    let case = |name, proof: File, verdict| {
        let (proof, commitment) = (proof.encode(), commitment.clone());
        Case { name, proof, commitment, weights: None, min_bits: 0, verdict }
    };
    // The byte behind the fields' is the number of fibres, which has no zero.
    let none = [&proof.params[..1], &[0], &proof.params[2..]].concat();
    let none = File { params: none, ..proof.clone() };
    vec![
        case("Air-FRI: a byte of leaves of two fibres", proof, "valid"),
        case("a second encoding of leaves of one fibre", none, "malformed"),
    ]
}

/// Parameters whose first fold binds more variables than a machine's word has bits, of few rows that hide.
fn long_folds() -> Vec<Case> {
    let params = air_params(ligerito::Fields::Gf192, Entries::Extension);
    let scheme = AnyScheme::from_matrix(params.clone(), &ANY).unwrap();
    let honest = proof(&scheme, &[Form::Entry(3)], &bytes(121), None);
    let commitment = commitment(&honest, &bytes(121));
    let case = |k, name| {
        let params = ligerito::Params { hidden_openings: 1, inner: Inner::Chain(vec![k]), ..params.clone() };
        let (digest, params) = (params.digest().head(), params.encode());
        let proof = File { params, params_digest: digest, ..honest.clone() }.encode();
        Case { name, proof, commitment: commitment.clone(), weights: None, min_bits: 0, verdict: "invalid" }
    };
    vec![
        case(32, "Air-FRI: a first fold of 32 variables"),
        case(64, "Air-FRI: a first fold of 64 variables"),
        case(u32::MAX, "Air-FRI: a first fold of 2^32 - 1 variables"),
    ]
}

fn corpus() -> Vec<Case> {
    let cases = [
        proven(),
        weighted(),
        changed(),
        air(),
        parts(),
        wide(),
        shared_leaves(),
        long_folds(),
        tables(),
        products(),
        weighted_tables(),
    ];
    cases.into_iter().flatten().collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/verdicts")
}

/// The files of the corpus and their index.
fn files(corpus: &[Case]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut index = String::from("[\n");
    for (i, case) in corpus.iter().enumerate() {
        let number = format!("{i:02}");
        let weights = match &case.weights {
            None => String::new(),
            Some(Given::Numbers(numbers)) => {
                let name = format!("{number}.weights.json");
                files.push((name.clone(), format!("{numbers:?}\n").into_bytes()));
                // What a verifier without numbers is given.
                let field = numbers.iter().flat_map(|&x| canonical(x)).collect();
                files.push((format!("{number}.weights.field"), field));
                format!(" \"weights\": \"{name}\", \"field_weights\": \"{number}.weights.field\",")
            }
            Some(Given::Bytes(bytes)) => {
                let name = format!("{number}.weights.bin");
                files.push((name.clone(), bytes.to_vec()));
                format!(" \"weights\": \"{name}\",")
            }
        };
        let end = if i + 1 == corpus.len() { "" } else { "," };
        writeln!(
            index,
            "  {{ \"name\": \"{}\", \"proof\": \"{number}.proof\", \"commitment\": \"{number}.commitment\",{weights} \"min_bits\": {}, \"verdict\": \"{}\" }}{end}",
            case.name, case.min_bits, case.verdict
        )
        .unwrap();
        files.push((format!("{number}.proof"), case.proof.clone()));
        files.push((format!("{number}.commitment"), case.commitment.clone()));
    }
    index.push_str("]\n");
    files.push(("verdicts.json".into(), index.into_bytes()));
    files
}

/// A number as the bytes of an element of Goldilocks.
fn canonical(x: i64) -> [u8; 8] {
    let size = Goldilocks::from_u64(x.unsigned_abs());
    let mut bytes = [0; 8];
    (if x < 0 { -size } else { size }).write(&mut bytes);
    bytes
}

/// The stored corpus is what this version makes: proofs are the same bytes, whatever the number of threads or the CPU.
#[test]
fn the_corpus_is_what_is_stored() {
    let files = files(&corpus());
    if std::env::var_os("TENFOLD_WRITE_VERDICTS").is_some() {
        std::fs::create_dir_all(folder()).unwrap();
        files.iter().for_each(|(name, bytes)| std::fs::write(folder().join(name), bytes).unwrap());
    }
    for (name, bytes) in &files {
        assert!(std::fs::read(folder().join(name)).is_ok_and(|stored| stored == *bytes), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder()).unwrap().count(), files.len(), "no file beside them");
}

/// The library's verdicts, by numbers and by canonical bytes where there are weights.
#[test]
fn the_library_has_these_verdicts() {
    let corpus = corpus();
    assert!(corpus.len() > 50);
    for case in &corpus {
        let verdict = |weights: Option<Weights<'_>>| match File::decode(&case.proof) {
            Err(_) => "malformed",
            Ok(file) => match verify(&file, weights, &Limits::new(case.min_bits)) {
                Ok(verified) => {
                    verified.about(&File::decode(&case.commitment).unwrap()).expect("its own commitment");
                    "valid"
                }
                Err(refused) if refused.is_malformed() => "malformed",
                Err(_) => "invalid",
            },
        };
        let is = |found: &str| match case.verdict {
            "not accepted" => found != "valid",
            expected => found == expected,
        };
        let found = match &case.weights {
            None => vec![verdict(None)],
            Some(Given::Bytes(bytes)) => vec![verdict(Some(Weights::Bytes(bytes)))],
            Some(Given::Numbers(numbers)) => {
                let get = |i: usize| i128::from(numbers[i]);
                let field: Vec<u8> = numbers.iter().flat_map(|&x| canonical(x)).collect();
                vec![
                    verdict(Some(Weights::Integers { count: numbers.len(), get: &get, scale: 0 })),
                    verdict(Some(Weights::Bytes(&field))),
                ]
            }
        };
        assert!(found.iter().all(|found| is(found)), "{}: {found:?}, not {}", case.name, case.verdict);
    }
}
