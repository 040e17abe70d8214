//! Every pair of fields, under every inner argument, by the schemes as the facade has them: values, what is stated, cuts and changes, witnesses
//! without a codeword, weighted sums. The batteries of `pcs` have some pairs; here all are compiled already.

use field::{ExtensionOf, Field};
use iop::hash::Hash;
use iop::poly::{TensorForm, dot, to_bytes};
use iop::security::{Policy, Regime};
use pcs::claims::Claims;
use pcs::fields::Fields;
use pcs::file::{File, Opening, SchemeId};
use pcs::ligerito::search::find;
use pcs::ligerito::{Entries, Preset};
use pcs::matrix::{Inner, Params, RoundParams};
use pcs::pip::Secret;
use pcs::scheme::{Params as _, Summary};
use pcs::{deepfold, with_binary_fields, with_fields};
use tenfold::AnyParams;
use tenfold::any::{AnyProver, AnyScheme, Form, Mode, Weights};
use tenfold::verify::Limits;

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };
const CONTEXT: &[u8] = b"pairs";

/// A small shape; its queries are too few for real security.
fn small(fields: Fields, regime: Regime, inner: Inner) -> Params {
    let max_forms = if inner == Inner::TwoChains { 1 } else { 3 };
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries: Entries::Whole,
        log_size: 8,
        polynomials: 1,
        max_forms,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 3, log_inv_rate: 2, queries: 8, grinding: 3, fold_grinding: 1 },
        inner,
    }
}

fn recursion() -> Inner {
    let level = RoundParams { log_columns: 2, log_inv_rate: 3, queries: 5, grinding: 0, fold_grinding: 2 };
    Inner::Recursion(vec![level])
}

fn hiding(params: Params) -> Params {
    Params { hidden_openings: 1, regime: Regime::UniqueDecoding, ..params }
}

/// Elements without structure.
fn elements<F: Field>(count: usize, seed: &[u8]) -> Vec<F> {
    let mut stream = blake3::Hasher::new().update(seed).finalize_xof();
    let element = |_| {
        let mut bytes = vec![0; F::UNIFORM_BYTES];
        stream.fill(&mut bytes);
        F::from_uniform(&bytes)
    };
    (0..count).map(element).collect()
}

/// A point, an entry and a sum, as many as one proof holds.
fn forms<E: Field>(summary: &Summary) -> Vec<TensorForm<E>> {
    let variables = summary.variables;
    let point: Vec<E> = elements(variables, b"point");
    let all = [TensorForm::point(&point), TensorForm::index(5, variables), TensorForm::sum(variables)];
    let most = if summary.hidden_openings > 0 { 1 } else { summary.max_forms };
    all.into_iter().take(most as usize).collect()
}

/// An honest proof with its parts, of which others are made.
struct Case<'a, E> {
    scheme: &'a AnyScheme,
    file: &'a File<'a>,
    body: Opening<'a, E>,
}

impl<E: Field> Case<'_, E> {
    /// Tells if another statement or proof is refused, under the digests that belong to it.
    fn refuses(&self, commitment: &[u8], claims: &Claims<E>, proof: &[u8]) -> bool {
        let statement = claims.digest(self.scheme.summary().hash, commitment).head();
        let body = Opening { commitment: commitment.to_vec(), claims: claims.clone(), proof: proof.into() };
        let file = File { statement, body: body.encode().into(), ..self.file.clone() };
        self.scheme.verify(&file).is_err()
    }

    fn what_is_stated_counts(&self) {
        let Opening { commitment, claims, proof } = &self.body;
        assert!(!self.refuses(commitment, claims, proof), "nothing is changed");
        for i in 0..claims.values.len() {
            let mut other = claims.clone();
            other.values[i][0] += E::ONE;
            assert!(self.refuses(commitment, &other, proof), "value {i}");
            let mut other = claims.clone();
            other.forms[i] = TensorForm::index(9, claims.forms[i].variables());
            assert!(self.refuses(commitment, &other, proof), "form {i}");
        }
        let other = Claims { context: b"another".to_vec(), ..claims.clone() };
        assert!(self.refuses(commitment, &other, proof), "the context");
        for at in [0, 31, commitment.len() - E::BYTES.min(32)] {
            let mut other = commitment.clone();
            other[at] ^= 1;
            assert!(self.refuses(&other, claims, proof), "byte {at} of the commitment");
        }
        assert!((0..commitment.len()).all(|n| self.refuses(&commitment[..n], claims, proof)), "cut short");
        assert!(self.refuses(&[&commitment[..], &[0]].concat(), claims, proof), "a byte more");
        assert!(self.refuses(commitment, claims, &[&proof[..], &[0]].concat()), "a byte more");
        for at in (0..proof.len()).step_by(proof.len() / 50 + 1) {
            assert!(self.refuses(commitment, claims, &proof[..at]), "cut at {at}");
            let mut changed = proof.to_vec();
            changed[at] ^= 0x10;
            assert!(self.refuses(commitment, claims, &changed), "byte {at}");
        }
    }
}

/// The entries that the bytes hold, as elements of the challenge field: a packed entry's bits are the lowest of an element of the data's field.
fn table<B: Field, E: ExtensionOf<B>>(bytes: &[u8], entries: Entries) -> Vec<E> {
    let bits = entries.log_bits().map_or(8 * B::BYTES, |bits| 1 << bits);
    let entry = |i: usize| {
        let mut element = vec![0; B::BYTES];
        for bit in 0..bits {
            let at = i * bits + bit;
            element[bit / 8] |= (bytes[at / 8] >> (at % 8) & 1) << (bit % 8);
        }
        E::lift(B::from_bytes(&element).expect("an element"))
    };
    (0..8 * bytes.len() / bits).map(entry).collect()
}

fn conforms<B: Field, E: ExtensionOf<B>>(params: &Params) {
    let longest = params.size(forms::<E>(&params.summary()).len()).most();
    conforms_as::<B, E>(&params.clone().into(), params.entries, longest);
}

/// The same by any scheme, whose entries are these, and whose proofs are no longer than that.
fn conforms_as<B: Field, E: ExtensionOf<B>>(params: &AnyParams, unit: Entries, longest: u64) {
    let scheme = params.clone().build(&ANY).expect("parameters in range");
    let summary = scheme.summary();
    assert_eq!(AnyParams::decode(params.scheme(), &params.encode()).as_ref(), Some(params));
    assert_eq!((summary.bytes, summary.fields), ([B::BYTES, E::BYTES], [B::NAME, E::NAME]));
    let data: Vec<B> = elements(1 << params.log_size(), b"data");
    let forms = forms::<E>(summary);
    let named: Vec<Form> = forms.iter().map(Form::from_tensor).collect();
    let mut prover = scheme.prover();
    let bytes = to_bytes(&data);
    let read = |prover: &AnyProver<'_>| prover.canonical(&mut &bytes[..]).unwrap().unwrap();
    let hides = summary.hidden_openings > 0;
    let mode = if hides { Mode::Hiding(Secret::from_seed(&[9; 32], 0)) } else { Mode::Whole };
    let entries = read(&prover);
    let mut witness = prover.commit_as(entries, mode);
    let file = prover.open(&mut witness, &named, CONTEXT).unwrap().file;

    let (proven, parts) = scheme.verify(&file).expect("an honest proof");
    assert_eq!(parts.iter().map(|part| part.0).sum::<usize>(), file.body.len(), "each byte has a meaning");
    assert_eq!((proven.hidden_openings, proven.mask), (summary.hidden_openings, hides.then_some(0)));
    let body = file.opening::<E>(scheme.digest(), summary.hash).unwrap();
    assert_eq!((&body.claims.forms, &body.claims.context[..]), (&forms, CONTEXT));
    assert!(body.proof.len() as u64 <= longest, "no longer than said");
    let table = table::<B, E>(&bytes, unit);
    let values: Vec<Vec<E>> = forms.iter().map(|form| vec![form.apply(&table)]).collect();
    assert_eq!(body.claims.values, values, "the forms' values on the data");
    Case { scheme: &scheme, file: &file, body }.what_is_stated_counts();

    if hides {
        assert!(prover.kept(&witness).is_none());
        return;
    }
    let entries = read(&prover);
    let mut lean = prover.commit_as(entries, Mode::Lean);
    assert!(prover.open(&mut lean, &named, CONTEXT).unwrap().file == file, "the same bytes");
    let kept = prover.kept(&lean);
    assert_eq!(kept.is_none(), params.scheme() == SchemeId::DeepFold, "DeepFold restores no witness");
    if let Some(kept) = kept {
        assert_eq!(kept.entries, bytes);
        let mut restored = prover.restore(read(&prover), kept.nodes).unwrap();
        assert!(prover.open(&mut restored, &named, CONTEXT).unwrap().file == file, "the same bytes");
    }
    if unit == Entries::Whole && params.weighted_memory().is_some() {
        weighted_sums::<B>(&scheme, &data);
    }
    prover.recycle(witness);
}

/// The sum by as many weights as there are entries, and by fewer.
fn weighted_sums<B: Field>(scheme: &AnyScheme, data: &[B]) {
    let (mut prover, limits) = (scheme.prover(), Limits { policy: ANY, max_memory: 1 << 30 });
    for rows in [100, data.len()] {
        let weights: Vec<B> = (0..rows as u64).map(|i| B::from_u64(i + 11).pow(13)).collect();
        let [entries, bytes] = [data, &weights].map(to_bytes);
        let entries = prover.canonical(&mut &entries[..]).unwrap().unwrap();
        let mut witness = prover.commit(entries);
        let elements = prover.weights(Weights::Bytes(&bytes)).unwrap();
        let file = prover.open_weighted(&mut witness, elements, CONTEXT, &ANY).unwrap();
        let proven = scheme.verify_weighted(&file, Weights::Bytes(&bytes), &limits).unwrap();
        assert_eq!(proven.claims[0].values, [to_bytes(&[dot(&weights, &data[..rows])])], "{rows} rows");
        let mut others = bytes.clone();
        others[0] ^= 1;
        assert!(scheme.verify_weighted(&file, Weights::Bytes(&others), &limits).is_err());
    }
}

#[test]
fn every_pair_of_prime_fields_conforms() {
    let chain = || Inner::Chain(vec![1, 2, 1]);
    for fields in Fields::PRIME {
        let all = [
            small(fields, Regime::UniqueDecoding, recursion()),
            small(fields, JOHNSON, recursion()),
            hiding(small(fields, JOHNSON, recursion())),
            small(fields, Regime::UniqueDecoding, chain()),
            small(fields, JOHNSON, chain()),
            hiding(small(fields, JOHNSON, chain())),
            small(fields, Regime::UniqueDecoding, Inner::TwoChains),
        ];
        let deepfold =
            [(Regime::UniqueDecoding, 2), (JOHNSON, 0)].map(|(regime, log_columns)| deepfold::Params {
                fields,
                hash: Hash::Blake3,
                regime,
                log_size: 8,
                log_columns,
                log_inv_rate: 2,
                queries: 8,
                grinding: 3,
                log_final: 1,
                own: deepfold::DeepFold { max_forms: 3, deep: log_columns == 0 },
            });
        with_fields!(fields, B, E => {
            all.iter().for_each(conforms::<B, E>);
            for params in &deepfold {
                let longest = params.size(3).most();
                conforms_as::<B, E>(&AnyParams::DeepFold(params.clone()), Entries::Whole, longest);
            }
        });
    }
}

#[test]
fn every_pair_of_binary_fields_conforms() {
    for fields in Fields::BINARY {
        let whole = [
            small(fields, Regime::UniqueDecoding, recursion()),
            small(fields, JOHNSON, recursion()),
            hiding(small(fields, JOHNSON, recursion())),
        ];
        // Air-FRI, which hides packed entries by digests of its level.
        let chain = || Inner::Chain(vec![1, 2, 1]);
        let wide = |params| Params { hash: Hash::Sha3_512, ..params };
        let air = [
            small(fields, Regime::UniqueDecoding, chain()),
            Params { log_parts: 2, ..small(fields, JOHNSON, chain()) },
            Params { log_leaf_fibres: 1, ..small(fields, JOHNSON, chain()) },
            wide(Params { log_parts: 1, ..hiding(small(fields, JOHNSON, chain())) }),
        ];
        // The other field of a named profile.
        let other = (fields == Fields::Gf256).then(|| find(&Preset::Secure128.wanted(fields, 12)).unwrap());
        let packed = Entries::ALL.map(|entries| Params { entries, ..small(fields, JOHNSON, recursion()) });
        let packed = packed.into_iter().filter(|params| params.log_packed() > 0);
        let all: Vec<Params> = whole.into_iter().chain(air).chain(other).chain(packed).collect();
        with_binary_fields!(fields, B, E => all.iter().for_each(conforms::<B, E>));
    }
}
