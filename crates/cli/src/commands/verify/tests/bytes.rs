//! Entries and their elements, and provers who state more than they prove.

use crate::commands::verify::*;
use field::{ExtensionOf, Field, FoldFibres, Gf128, Gf192, Tower64, Tower128};
use iop::hash::Hash;
use iop::poly::{TensorForm, to_bytes};
use iop::security::Regime;
use pcs::file::SchemeId;
use pcs::ligerito::{Entries, Fields, Inner, Params, Prover, RoundParams, Scheme, unpack_bytes};
use pcs::weighted as sums;
use tenfold::AnyScheme;
use tenfold::any::Form;
use tenfold::statement::{BytesDescription, Unit};
use tenfold::text::hex_integer;

/// A small shape; its queries are too few for real security.
fn params(fields: Fields, entries: Entries) -> Params {
    Params {
        fields,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        entries,
        log_size: 2,
        polynomials: 1,
        max_forms: 4,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 1, log_inv_rate: 1, queries: 2, grinding: 0, fold_grinding: 0 },
        inner: Inner::Recursion(vec![]),
    }
}

fn blob(length: u64) -> BytesDescription {
    BytesDescription { name: "x".into(), length, source: [3; 32] }
}

/// What a verifier says to a prover with these bytes, padding included, about the rows of a file of some length.
fn said<B: FoldFibres, E: ExtensionOf<B>>(
    params: &Params,
    bytes: &[u8],
    blob: &BytesDescription,
    rows: &[u64],
) -> Result<Verified, Failure> {
    let scheme = Scheme::<B, E>::new(params.clone(), &Policy::at_least(0)).unwrap();
    let entries: Vec<B> = bytes.chunks(B::BYTES).map(|bytes| B::from_bytes(bytes).unwrap()).collect();
    let size = 1 << params.log_size;
    let polynomials: Vec<&[B]> = entries.chunks(size).collect();
    let mut witness = Prover::new(&scheme).commit_batch(&polynomials);
    let forms = rows.iter().map(|&row| TensorForm::index(row, params.variables())).collect();
    let (claims, proof) = Prover::new(&scheme).open(&mut witness, forms, &blob.encode());
    let file = File::from_opening(&scheme, witness.commitment(), claims, proof);
    describe(&file.encode(), &Policy::at_least(0))
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 37 + 11) as u8).collect()
}

#[test]
fn the_description_has_one_encoding() {
    let blob = BytesDescription { name: "délai.bin".into(), length: 11, source: [3; 32] };
    let encoded = blob.encode();
    assert_eq!(BytesDescription::decode(&encoded), Some(blob));
    assert!((0..encoded.len()).all(|n| BytesDescription::decode(&encoded[..n]).is_none()));
    assert_eq!(BytesDescription::decode(&[&encoded[..], &[0]].concat()), None);
}

#[test]
fn entries_of_every_size_are_counted() {
    let unit = |entries| Unit::of(&params(Fields::Gf128, entries));
    let counts = |entries| [1, 4, 9].map(|length| unit(entries).count(length));
    assert_eq!(counts(Entries::Bits), [8, 32, 72]);
    assert_eq!(counts(Entries::Bytes), [1, 4, 9]);
    assert_eq!(counts(Entries::Words32), [1, 1, 3]);
    assert_eq!(counts(Entries::Words64), [1, 1, 2]);
    assert_eq!(counts(Entries::Whole), [1, 1, 1]);
    assert_eq!(Unit::of(&params(Fields::Gf192, Entries::Whole)), unit(Entries::Words64));
    assert_eq!([0, 1, 2].map(|row| unit(Entries::Words32).beyond(row, 9)), [0, 0, 3]);
    assert_eq!([0, 1].map(|row| unit(Entries::Words64).beyond(row, 9)), [0, 7]);
    assert_eq!(unit(Entries::Bytes).beyond(8, 9), 0);
    assert_eq!(unit(Entries::Words32).beyond(u64::MAX, 9), u64::MAX - 9, "no overflow in a row of no entry");
    assert_eq!(unit(Entries::Bits).count(u64::MAX), u64::MAX, "no overflow before the length is checked");
}

#[test]
fn entries_are_read_as_they_stand_in_the_bytes() {
    let text = |entries, integer| Unit::of(&params(Fields::Gf128, entries)).text(integer);
    assert_eq!(text(Entries::Bits, 1), "1");
    assert_eq!(text(Entries::Bytes, 5), "0x05 (5)");
    assert_eq!(text(Entries::Words32, 0xabcd), "0x0000abcd (43981)");
    let bytes: Vec<u8> = bytes(16);
    let value = to_bytes(&[Gf128::lift(Tower128::from_bytes(&bytes).unwrap())]);
    let integer = |entries| {
        let params = params(Fields::Gf128, entries);
        let scheme = AnyScheme::from_matrix(params.clone(), &Policy::at_least(0)).unwrap();
        Unit::of(&params).integer(&scheme, &value)
    };
    assert_eq!(integer(Entries::Whole), Some(u128::from_le_bytes(bytes.try_into().unwrap())));
    assert_eq!(integer(Entries::Words64), None, "an element with more than the lowest 64 bits is no word");
    let wide = Gf192::from_coefficients(&[Tower64::ONE, Tower64::ONE, Tower64::ZERO]);
    let params = params(Fields::Gf192, Entries::Whole);
    let scheme = AnyScheme::from_matrix(params.clone(), &Policy::at_least(0)).unwrap();
    let integer = |value: Gf192| Unit::of(&params).integer(&scheme, &to_bytes(&[value]));
    assert_eq!(integer(wide), None, "no entry has a second coefficient");
    assert_eq!(integer(Gf192::ONE), Some(1));
}

#[test]
fn points_are_read_and_written_by_their_bits() {
    for fields in [Fields::Gf128, Fields::Gf192] {
        let scheme = AnyScheme::from_matrix(params(fields, Entries::Whole), &Policy::at_least(0)).unwrap();
        for integer in [2u64, 0x1234, u64::MAX] {
            let form = scheme.point(&[integer.into(), 0]);
            let factors = form.factors(2, [&[0], &[1]]).unwrap();
            assert_eq!(
                [&factors[0][1], &factors[1][1]].map(|z| hex_integer(z)),
                [format!("{integer:#x}"), "0x0".into()]
            );
        }
        assert_eq!(scheme.point(&[1, 0]), Form::Entry(1), "the elements zero and one");
    }
}

/// Bytes beyond the end of the file are not proven to be zero, and must not be read as data.
#[test]
fn malicious_prover_who_hides_bytes_in_the_padding() {
    let params = params(Fields::Gf128, Entries::Words32);
    let data = bytes(64);
    let word = |row: usize| u32::from_le_bytes(data[4 * row..4 * row + 4].try_into().unwrap());
    let claims = said::<Tower128, Gf128>(&params, &data, &blob(9), &[1, 2, 3]).unwrap().claims;
    let expected = [1, 2, 3].map(|row| format!("{:#010x} ({})", word(row), word(row)));
    assert_eq!(claims[0], format!("32-bit word 1 of x is {}", expected[0]));
    let padded = format!("32-bit word 2 of x is {}, its highest 3 byte(s) being padding", expected[1]);
    assert_eq!(claims[1], padded);
    assert_eq!(claims[2], format!("padding 32-bit word 3 of x is {}", expected[2]));
}

/// More bytes than the commitment has places, or none: the length would not be that of what is committed.
#[test]
fn malicious_prover_deviates_in_the_length_of_a_file() {
    let params = params(Fields::Gf192, Entries::Bytes);
    let data = bytes(32);
    let said = |length| {
        let verified = said::<Tower64, Gf192>(&params, &data, &blob(length), &[31]);
        verified.map(|verified| verified.claims).map_err(|failure| failure.exit)
    };
    assert_eq!(said(32), Ok(vec![format!("byte 31 of x is {:#04x} ({})", data[31], data[31])]));
    assert_eq!(said(31), Ok(vec![format!("padding byte 31 of x is {:#04x} ({})", data[31], data[31])]));
    assert_eq!([0, 33, u64::MAX].map(said), [const { Err(Exit::Invalid) }; 3]);
}

/// Every value of a verified claim is said, so what has no words is refused.
#[test]
fn malicious_prover_with_a_second_file() {
    let params = Params { polynomials: 2, ..params(Fields::Gf192, Entries::Whole) };
    let refused = said::<Tower64, Gf192>(&params, &bytes(64), &blob(32), &[0]).unwrap_err();
    assert!(refused.exit == Exit::Invalid && refused.message.contains("several polynomials"), "{refused:?}");
}

/// A name is the prover's: it must not be able to look like a verdict of its own.
#[test]
fn malicious_prover_who_writes_a_claim_into_the_name() {
    let params = params(Fields::Gf128, Entries::Bits);
    let blob = BytesDescription { name: "x is 1\nvalid: bit 1 of x".into(), ..blob(64) };
    let verified = said::<Tower128, Gf128>(&params, &bytes(64), &blob, &[0]).unwrap();
    assert_eq!(verified.claims, ["bit 0 of \"x is 1\\nvalid: bit 1 of x\" is 1"]);
}

/// What the verifier with `weights` says to a prover with these bytes, padding included, who used `used` and says that the
/// file is some blob; the proof file can be changed.
fn weighed<B: FoldFibres, E: ExtensionOf<B>>(
    params: &Params,
    (bytes, blob): (&[u8], &BytesDescription),
    [used, weights]: [&[u8]; 2],
    edit: fn(&mut File),
) -> Result<Vec<String>, (Exit, String)> {
    let scheme = sums::Scheme::<Scheme<B, E>>::new(params.clone(), &Policy::at_least(0)).unwrap();
    let entries = bytes.chunks(B::BYTES).map(|bytes| B::from_bytes(bytes).unwrap()).collect();
    let mut witness = Prover::new(scheme.inner()).commit(entries);
    let used = unpack_bytes(used, params.entries);
    let (claim, proof) = sums::Prover::new(&scheme).open(&mut witness, used, &blob.encode());
    let (commitment, statement) = (witness.commitment().to_bytes(), claim.statement(params.hash));
    let mut file = File {
        kind: Kind::Weighted,
        scheme: SchemeId::Ligerito,
        params: params.encode(),
        params_digest: params.digest().head(),
        statement: statement.digest(params.hash, &commitment).head(),
        body: sums::Opening { commitment, statement, proof: proof.into() }.encode().into(),
    };
    edit(&mut file);
    let weights = Dataset::from_bytes(weights.to_vec()).named("w");
    let verified = describe_with(&file.encode(), &Limits::new(0), Some(&weights));
    verified.map(|verified| verified.claims).map_err(|failure| (failure.exit, failure.message))
}

/// A sum over fewer or more bytes than the file is said to have is not the sum over the file.
#[test]
fn malicious_prover_deviates_in_what_is_weighed() {
    let params = params(Fields::Gf192, Entries::Bytes);
    let (data, weights) = (bytes(33), bytes(40));
    let said = |length: u64, used: usize, given: usize, edit: fn(&mut File)| {
        let parts = [&weights[..used], &weights[..given]];
        weighed::<Tower64, Gf192>(&params, (&data[..32], &blob(length)), parts, edit)
    };
    let refuses = |verdict: Result<Vec<String>, (Exit, String)>, exit, words: &str| {
        let (said, message) = verdict.unwrap_err();
        assert!(said == exit && message.contains(words), "{said:?} {message}, not {words}");
    };
    assert!(
        said(20, 20, 20, |_| {}).is_ok_and(|claims| claims[0].contains("all 20 bytes of x with those of w"))
    );
    for (length, used, given) in [(33, 32, 33), (0, 0, 0), (u64::MAX, 32, 32)] {
        refuses(said(length, used, given, |_| {}), Exit::Invalid, "the stated length does not fit");
    }
    for (used, given) in [(19, 20), (21, 20)] {
        refuses(said(20, used, given, |_| {}), Exit::Invalid, "other weights");
    }
    refuses(said(20, 20, 19, |_| {}), Exit::Usage, "19 bytes of weights, the file has 20");
    refuses(said(20, 20, 20, |file| file.statement[0] ^= 1), Exit::Invalid, "the statement digest");
    refuses(said(20, 20, 20, |file| file.params_digest[0] ^= 1), Exit::Invalid, "the parameter digest");
}

/// The last word of a file is weighed with what pads it, whatever that is, and the claim says so.
#[test]
fn malicious_prover_who_weighs_bytes_in_the_padding() {
    let params = params(Fields::Gf128, Entries::Words32);
    let weights = [0, 0, 0, 0, 0, 0, 0, 0, 1];
    let claims =
        |data: &[u8]| weighed::<Tower128, Gf128>(&params, (data, &blob(9)), [&weights; 2], |_| {}).unwrap();
    let mut data = bytes(64);
    let word = u32::from_le_bytes(data[8..12].try_into().unwrap());
    let sum =
        format!("{word:#010x} ({word}) in GF(2^32), the highest 3 byte(s) of the last one being padding");
    assert_eq!(
        claims(&data),
        [format!("the inner product of all 3 32-bit words of x with those of w is {sum}")]
    );
    data[12..].fill(0xff);
    assert!(claims(&data)[0].ends_with(&sum), "what lies behind has no weight");
}
