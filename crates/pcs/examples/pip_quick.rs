use field::*;
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::pip::search::{find, Profile, Wanted};
use pcs::pip::{Prover, Scheme};
use std::time::Instant;

fn run<B: TwoAdic, E: ExtensionOf<B>>(w: &Wanted) {
    let t = Instant::now();
    let params = find(w).unwrap();
    let ts = t.elapsed();
    println!("{:?} {:?} bits {} found in {:?}: {:?} {:?}", w.fields, w.profile, w.bits, ts, params.regime, params.level);
    if let pcs::pip::Inner::Recursion(l) = &params.inner { for l in l { println!("   {l:?}"); } }
    let scheme = Scheme::<B, E>::new(params, &Policy { min_bits: w.bits }).unwrap();
    let n = 1usize << w.log_size;
    let data: Vec<B> = (0..n as u64).map(|i| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)).collect();
    let mut prover = Prover::new(&scheme);
    let (mut c, mut o, mut v, mut size) = (vec![], vec![], vec![], 0);
    for i in 0..7 {
        let d = data.clone();
        let t = Instant::now();
        let mut wit = prover.commit(d);
        c.push(t.elapsed());
        let z: Vec<E> = (0..w.log_size as u64).map(|j| E::from_u64(j * 77 + i + 3)).collect();
        let t = Instant::now();
        let (claims, proof) = prover.open(&mut wit, vec![Tensor::point(&z)], b"");
        o.push(t.elapsed());
        size = proof.len();
        let t = Instant::now();
        scheme.verify(wit.commitment(), &claims, &proof).unwrap();
        v.push(t.elapsed());
        prover.recycle(wit);
    }
    let med = |x: &mut Vec<std::time::Duration>| { x.sort(); x[x.len() / 2] };
    println!("  2^{} commit {:?} open {:?} verify {:?} size {:.1} KiB  proven {:.2}", w.log_size, med(&mut c), med(&mut o), med(&mut v), size as f64 / 1024.0, scheme.report().proven_bits());
}

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u32 = a[1].parse().unwrap();
    let threads: usize = a.get(2).map_or(1, |s| s.parse().unwrap());
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let only = a.get(3).cloned().unwrap_or_default();
    for (p, b) in [(Profile::Fast, 100), (Profile::Small, 100), (Profile::Fast, 128), (Profile::Small, 128)] {
        if !only.is_empty() && only != format!("{p:?}{b}") { continue; }
        if b == 100 { run::<KoalaBear, KoalaBear5>(&Wanted::new(Fields::KoalaBear5, n, b, p)); }
        else { run::<KoalaBear, KoalaBear8>(&Wanted::new(Fields::KoalaBear8, n, b, p)); }
        run::<Goldilocks, Goldilocks3>(&Wanted::new(Fields::Goldilocks3, n, b, p));
    }
}
