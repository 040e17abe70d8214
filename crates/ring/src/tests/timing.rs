//! Does the clock see a secret?
//!
//! Two classes of secrets, one always the same and extreme, the other drawn anew, in random order: if their times differ by more than
//! chance, Welch's t says so. It finds leaks and proves nothing; that it finds them at this number of samples is the control's part.
//! Source: Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?", DATE 2017.
//!
//! (notes: ring-constant-time)

use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

use curve::bandersnatch::{self, Projective};
use curve::bls12_381::Fr;
use curve::{AffineRepr, PrimeField, Zero, ct, jubjub};

use super::{Scene, bases, members, setup};
use crate::prover::{Secret as Slot, Witness, masks_of};
use crate::setup::Blinds;
use crate::vrf::{Pedersen, Secret, Suite};
use crate::{Embedded, Jubjub, SCALAR_BITS};

/// Beyond this the difference is no chance.
const LIMIT: f64 = 10.0;

/// One at a time: what another one does is noise. (`scripts/test` runs them alone.)
static CLOCK: Mutex<()> = Mutex::new(());

/// How many samples: the whole suite takes some seconds with the default, and `TENFOLD_TIMING_SAMPLES` asks for more.
fn samples() -> usize {
    std::env::var("TENFOLD_TIMING_SAMPLES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).unwrap();
    bytes
}

fn random() -> bandersnatch::Fr {
    bandersnatch::Fr::from_le_bytes_mod_order(&bytes::<48>())
}

fn one() -> bandersnatch::Fr {
    bandersnatch::Fr::from(1_u64)
}

/// Welch's t of two lists of times.
fn welch([a, b]: &[Vec<f64>; 2]) -> f64 {
    let moments = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0) / n)
    };
    let [(m, v), (n, w)] = [moments(a), moments(b)];
    (m - n) / (v + w).sqrt()
}

/// The t that is farthest from 0, of all samples and of those below some quantiles: interrupts are long and hide what is short. Below a quantile
/// where one class has no two samples there is no t.
fn farthest(times: &[(bool, f64)]) -> f64 {
    let mut sorted: Vec<f64> = times.iter().map(|(_, t)| *t).collect();
    sorted.sort_by(f64::total_cmp);
    [1.0, 0.95, 0.8, 0.5]
        .map(|quantile| {
            let most = sorted[((sorted.len() - 1) as f64 * quantile) as usize];
            let class = |c| times.iter().filter(|(of, t)| *of == c && *t <= most).map(|(_, t)| *t).collect();
            welch(&[class(false), class(true)])
        })
        .into_iter()
        .filter(|t| !t.is_nan())
        .max_by(|a, b| a.abs().total_cmp(&b.abs()))
        .expect("quantiles")
}

#[test]
fn a_class_that_is_always_faster_is_far_apart() {
    let times: Vec<(bool, f64)> = (0..200).map(|i| (i % 2 == 0, f64::from(i % 2 * 10 + i % 7))).collect();
    assert!(farthest(&times).abs() > LIMIT);
}

/// t of `run` on secrets that are `fixed`, and on secrets that are drawn.
fn t<S: Clone, O>(
    count: usize,
    name: &str,
    fixed: &S,
    draw: impl Fn() -> S,
    mut run: impl FnMut(&S) -> O,
) -> f64 {
    let _alone = CLOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut times = Vec::with_capacity(count);
    for i in 0..count + count / 10 {
        // Both are drawn, and both lie in the same place when they are used.
        let class = bytes::<1>()[0] & 1 == 1;
        let drawn = draw();
        let secret = black_box(if class { drawn } else { fixed.clone() });
        let start = Instant::now();
        black_box(run(&secret));
        let time = start.elapsed().as_secs_f64();
        if i >= count / 10 {
            times.push((class, time));
        }
    }
    let t = farthest(&times);
    println!("{name}: t = {t:.2} of {count} samples");
    t
}

/// That the times of `run` do not tell the two classes apart.
pub(crate) fn quiet<S: Clone, O>(name: &str, fixed: &S, draw: impl Fn() -> S, run: impl FnMut(&S) -> O) {
    quiet_of(samples(), name, fixed, draw, run);
}

fn quiet_of<S: Clone, O>(
    count: usize,
    name: &str,
    fixed: &S,
    draw: impl Fn() -> S,
    run: impl FnMut(&S) -> O,
) {
    let t = t(count, name, fixed, draw, run);
    assert!(t.abs() < LIMIT, "the clock sees the secret of {name}: t = {t:.1}");
}

/// `scalar G` as it must not be: no addition for a bit that is 0.
fn leaking(scalar: &bandersnatch::Fr) -> Projective {
    let g = Projective::from(bandersnatch::Point::generator());
    let words = scalar.into_bigint().0;
    (0..SCALAR_BITS).rev().fold(Projective::zero(), |sum, i| {
        let double = ct::add(&sum, &sum);
        if words[i / 64] >> (i % 64) & 1 == 1 { ct::add(&double, &g) } else { double }
    })
}

/// Without it the others would say nothing.
#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_control_finds_a_multiple_that_skips_additions() {
    // A quarter of its bits are ones.
    let mut fixed = bandersnatch::encode_fr(&random());
    fixed.iter_mut().zip(bytes::<32>()).for_each(|(byte, mask)| *byte &= mask);
    let fixed = bandersnatch::decode_fr(&fixed).unwrap();
    assert!(t(samples(), "control, skips", &fixed, random, leaking).abs() > LIMIT);
}

/// Multiples by arkworks, which has an addition for each bit that is 1, and last subtractions that are done or not. A secret with about as many ones
/// as others shows little: one of five shows it.
#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_control_finds_the_multiples_of_arkworks() {
    let g = Projective::from(bandersnatch::Point::generator());
    let shows = || t(samples(), "control, arkworks", &random(), random, |k| g * k).abs() > LIMIT;
    assert!((0..5).any(|_| shows()));
}

#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_of_multiples() {
    let g = Projective::from(bandersnatch::Point::generator());
    quiet("multiple on Bandersnatch, by one or any", &one(), random, |k| ct::times(&g, k));
    quiet("multiple on Bandersnatch, by always the same or any", &random(), random, |k| ct::times(&g, k));
    let g = jubjub::Projective::from(jubjub::Point::generator());
    let scalar = || Jubjub::reduce(&bytes::<64>());
    quiet("multiple on Jubjub, by one or any", &1_u64.into(), scalar, |k| ct::times(&g, k));
    quiet("multiple on Jubjub, by always the same or any", &scalar(), scalar, |k| ct::times(&g, k));
    let g = curve::bls12_381::G1::generator();
    let draw = || Fr::from_le_bytes_mod_order(&bytes::<48>());
    quiet("multiple in G1, by one or any", &Fr::from(1_u64), draw, |k| ct::times_g1(&g, k));
    quiet("multiple in G1, by always the same or any", &draw(), draw, |k| ct::times_g1(&g, k));
}

#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_of_the_output_and_of_the_pedersen_proof() {
    let suite = Suite::v1();
    let input = suite.input(b"timing").unwrap();
    let decode = |k| Secret::decode(&bandersnatch::encode_fr(&k)).unwrap();
    let draw = || decode(random());
    for (name, fixed) in [("one", one()), ("always the same", random())] {
        let fixed = decode(fixed);
        quiet(&format!("output, secret {name} or any"), &fixed, draw, |secret| secret.output(&input));
        quiet(&format!("Pedersen proof, secret {name} or any"), &fixed, draw, |secret| {
            Pedersen::answer(suite, secret, &[(input, secret.output(&input))], [b"data", b""])
        });
    }
}

/// The witness and its commitments for a slot and a blinding.
fn witness() -> impl FnMut(&(usize, bandersnatch::Fr)) -> [curve::bls12_381::G1; 4] {
    let scene = Scene::new(setup(), &members(255), 3);
    let doublings = bandersnatch::doublings(bases().blinding(), SCALAR_BITS);
    let (masks, keys) = (masks_of(&scene.setup), scene.ring.points());
    move |(index, blinding)| {
        let mut blinds = Blinds::default();
        blinds.as_flattened_mut().copy_from_slice(&crate::prover::random_of(12));
        let secret = Slot { index: *index, blinding, blinds: &blinds };
        let witness = Witness::new(&scene.setup, bases(), (&keys, &doublings), &secret);
        witness.commit(&scene.setup, &masks, *index).unwrap()
    }
}

#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_of_the_slot() {
    let blinding = random();
    let draw = || (usize::from(bytes::<1>()[0]) % 255, blinding);
    // Through the witness and its commitments.
    quiet("slot, first or any", &(0, blinding), draw, witness());
    quiet("slot, last or any", &(254, blinding), draw, witness());
}

#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_of_the_blinding() {
    quiet("blinding, one or any", &(3, one()), || (3, random()), witness());
    quiet("blinding, always the same or any", &(3, random()), || (3, random()), witness());
}

/// What remains of arkworks in a proof works on coefficients that are random; the samples are fewer.
#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_of_a_proof() {
    let scene = Scene::new(setup(), &members(255), 3);
    let draw = || (usize::from(bytes::<1>()[0]) % 255, random());
    let prove = |(index, blinding): &(usize, bandersnatch::Fr)| scene.prover.prove(*index, blinding).unwrap();
    quiet_of(samples() / 10, "proof, slot 0 and blinding one, or any", &(0, one()), draw, prove);
}
