//! Bytes committed to and opened on a GPU: the files are the CPU's, whatever fails.

use iop::hash::Hash;
use iop::security::{Policy, Regime};
use pcs::file::SchemeId;
use pcs::ligerito::{Entries, Fields, Inner, Params, RoundParams};
use tenfold::any::Mode;
use tenfold::gpu::{Fault, Gpu};
use tenfold::prove::Setup;
use tenfold::{
    AnyParams, Claim, Dataset, Device, DeviceChoice, EntrySize, Error, Options, ProofFile, Witness,
};

fn data() -> Dataset {
    Dataset::from_bytes((0..3000u32).map(|i| ((i * i) >> 3) as u8).collect()).named("bytes")
}

fn weights() -> Dataset {
    Dataset::from_bytes((0..3000u32).map(|i| (i >> 2) as u8).collect()).named("weights")
}

/// Words for small commitments: bytes are packed, others are entries as they stand.
fn options(entries: EntrySize) -> Options {
    Options::proven_bits(100).entries(entries)
}

/// Bytes by Air-FRI.
fn air() -> Options {
    Options { scheme: Some(SchemeId::Air), ..options(EntrySize::Bytes) }
}

type Made = (Vec<u8>, Vec<Result<ProofFile, Error>>);

/// The files of a commitment and of an opening for each list of claims.
fn made(options: &Options, device: &Device, openings: &[&[Claim<'_>]]) -> (Made, Witness) {
    let (commitment, mut witness) = tenfold::prove::commit_on(&data(), options, device).unwrap();
    let proofs = openings.iter().map(|claims| witness.open(claims)).collect();
    ((commitment.to_bytes(), proofs), witness)
}

#[test]
fn files_of_a_gpu_are_those_of_the_cpu() {
    let device = Device::from_gpu(Gpu::emulator().unwrap());
    let weights = weights();
    let openings: [&[Claim<'_>]; 2] = [&[Claim::Row(17)], &[Claim::Weighted(&weights)]];
    for entries in [EntrySize::Bytes, EntrySize::Words64] {
        let options = options(entries);
        let openings = if entries == EntrySize::Bytes { &openings[..] } else { &openings[..1] };
        let expected = made(&options, &Device::default(), openings).0;
        assert!(expected.1.iter().all(Result::is_ok), "{:?}", expected.1);
        assert!(made(&options, &device, openings).0 == expected, "{entries:?}");
    }
    let air = air();
    let expected = made(&air, &Device::default(), &openings).0;
    assert!(expected.1.iter().all(Result::is_ok), "{:?}", expected.1);
    assert!(made(&air, &device, &openings).0 == expected, "air");
    assert_eq!(device.take_notices(), [""; 0]);
}

/// Files by Air-FRI with two words below the committed one, which parameters for so few bytes do not have.
fn chained(device: &Device) -> (Vec<u8>, Result<ProofFile, Error>) {
    let level = RoundParams { log_columns: 1, log_inv_rate: 2, queries: 9, grinding: 0, fold_grinding: 0 };
    let params = Params {
        fields: Fields::Gf192,
        hash: Hash::Sha3_384,
        regime: Regime::UniqueDecoding,
        entries: Entries::Bytes,
        log_size: 9,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level,
        inner: Inner::Chain(vec![2, 2, 1]),
    };
    let (policy, params) = (Policy::at_least(0), AnyParams::Matrix(params));
    let setup = Setup::new(&policy, Mode::Whole).on(device);
    let mut witness = Witness::commit(&data(), params, setup).unwrap();
    (witness.commitment().to_bytes(), witness.open(&[Claim::Row(17)]))
}

/// Air-FRI: wherever a GPU fails, in the commitment, a word or an opening, the CPU takes over, and one line says so.
#[test]
fn the_cpu_takes_over_in_the_middle_of_a_chain() {
    let expected = chained(&Device::default());
    assert!(expected.1.is_ok(), "{:?}", expected.1);
    let failures = (2..1000).step_by(3).take_while(|&number| {
        let device = Device::from_gpu(Gpu::faulty_emulator(Fault::Lost(number)).unwrap());
        assert!(chained(&device) == expected, "{number}");
        let notices = device.take_notices();
        let told = |notice: &String| notice.contains("the CPU took over") && notice.lines().count() == 1;
        assert!(notices.len() <= 1 && notices.iter().all(told), "{notices:?}");
        !notices.is_empty()
    });
    // About forty calls more than without words.
    assert!(failures.count() > 20);
}

/// The number of calls of a commitment and an opening; the CPU takes over at each that fails.
fn calls(options: &Options, openings: &[&[Claim<'_>]], expected: &Made) -> u64 {
    for number in 2.. {
        let device = Device::from_gpu(Gpu::faulty_emulator(Fault::Lost(number)).unwrap());
        assert!(made(options, &device, openings).0 == *expected, "{number}");
        let notices = device.take_notices();
        if notices.is_empty() {
            return number;
        }
        assert!(notices.len() == 1 && notices[0].contains("the CPU took over"), "{notices:?}");
        assert_eq!(notices[0].lines().count(), 1);
    }
    unreachable!("calls without an end")
}

/// The CPU takes over wherever a GPU fails, and a proof that does not hold is not shown: the CPU proves again. A commitment that is wrong in
/// more than a few rows is not shown either.
#[test]
fn what_a_gpu_gets_wrong_never_leaves() {
    let openings: [&[Claim<'_>]; 1] = [&[Claim::Row(0)]];
    for entries in [EntrySize::Bytes, EntrySize::Words64] {
        let options = options(entries);
        let expected = made(&options, &Device::default(), &openings).0;
        let calls = calls(&options, &openings, &expected);
        let (mut refused, mut again) = (0, 0);
        let faults: [fn(u64) -> Fault; 3] = [Fault::Silent, Fault::Half, Fault::Flipped];
        for fault in faults.iter().flat_map(|fault| (2..calls).map(fault)) {
            let device = Device::from_gpu(Gpu::faulty_emulator(fault).unwrap());
            assert!(made(&options, &device, &openings).0 == expected, "{fault:?}");
            let notices = device.take_notices();
            assert!(notices.iter().all(|notice| notice.ends_with("the bytes are the same")), "{notices:?}");
            let by_proof = notices.iter().any(|notice| notice.contains("a proof that does not hold"));
            *(if by_proof { &mut again } else { &mut refused }) += notices.len();
        }
        assert!(calls > 20 && refused >= 4 && again >= 4, "{entries:?}: {calls}: {refused} {again}");
    }
}

/// A commitment with one wrong leaf, which nobody looked at, is known to be wrong when that is opened: from then on the witness opens
/// none, unless the caller names the right one.
#[test]
fn a_wrong_commitment_is_not_replaced_by_another() {
    let data = Dataset::from_bytes((0..1 << 14).map(|i: u32| ((i * i) >> 3) as u8).collect());
    let options = options(EntrySize::Bytes);
    let right = tenfold::commit(&data, &options).unwrap().0;
    let wrong = (2..12).find_map(|number| {
        let device = Device::from_gpu(Gpu::faulty_emulator(Fault::Spoiled(number)).unwrap());
        let (commitment, witness) = tenfold::prove::commit_on(&data, &options, &device).unwrap();
        (commitment != right).then_some((device, commitment, witness))
    });
    let (device, commitment, mut witness) = wrong.expect("a leaf that is not checked");
    assert_eq!(device.take_notices(), [""; 0]);
    // The rows that are opened depend on the claim.
    let seen = (0..400).find(|&row| witness.open(&[Claim::Row(row)]).is_err());
    assert!(seen.is_some());
    let notices = device.take_notices();
    assert!(notices.len() == 1 && notices[0].contains("a wrong commitment"), "{notices:?}");
    for row in 0..4 {
        assert_eq!(witness.open(&[Claim::Row(row)]), Err(Error::WrongDevice));
    }
    assert_eq!(witness.commitment(), &commitment);
    assert_eq!(witness.check_same(&commitment), Err(Error::WrongDevice));
    assert_eq!(witness.open(&[Claim::Row(0)]), Err(Error::WrongDevice));
    assert_eq!(witness.check_same(&right), Ok(()));
    assert_eq!(witness.commitment(), &right);
    let proof = witness.open(&[Claim::Row(3)]).unwrap();
    assert_eq!(proof, tenfold::commit(&data, &options).unwrap().1.open(&[Claim::Row(3)]).unwrap());
}

/// Without a GPU, or for data without kernels, the CPU commits; one line says so where a GPU is asked for.
#[test]
fn a_choice_that_cannot_be_followed_is_one_line() {
    let numbers = Dataset::from_u64s((0..100).collect());
    for (choice, expected) in [(DeviceChoice::Cpu, 0), (DeviceChoice::Auto, 0), (DeviceChoice::Gpu, 1)] {
        let device = Device::new(choice);
        let options = Options::proven_bits(100);
        let (commitment, _) = tenfold::prove::commit_on(&numbers, &options, &device).unwrap();
        assert_eq!(commitment, tenfold::commit(&numbers, &options).unwrap().0);
        assert_eq!(device.take_notices().len(), expected, "{choice:?}");
        let hiding = Options { hidden_openings: 1, ..options };
        tenfold::prove::commit_on(&numbers, &hiding, &device).unwrap();
        assert_eq!(device.take_notices().len(), expected, "{choice:?}");
        // Too few entries for `auto`.
        let small = tenfold::commit(&data(), &Options::default().device(choice)).unwrap().0;
        assert_eq!(small, tenfold::commit(&data(), &Options::default()).unwrap().0);
    }
    // No GPU is opened for leaves that it does not hash.
    let (device, parts) = (Device::new(DeviceChoice::Gpu), Options::default().log_parts(1));
    let (commitment, _) = tenfold::prove::commit_on(&data(), &parts, &device).unwrap();
    assert_eq!(commitment, tenfold::commit(&data(), &parts).unwrap().0);
    let notices = device.take_notices();
    assert!(notices.len() == 1 && notices[0].contains("not its parts"), "{notices:?}");
}
