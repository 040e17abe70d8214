//! `ark-groth16`, on the matrices of the case.

use anyhow::{Result, anyhow, ensure};
use ark_bn254::{Bn254, Fr};
use ark_ff::UniformRand;
use ark_groth16::{Groth16 as Scheme, PreparedVerifyingKey, Proof, ProvingKey, prepare_verifying_key};
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, Matrix, SynthesisError, Variable,
};
use ark_std::rand::{SeedableRng, rngs::StdRng};
use curve::CanonicalSerialize;
use rayon::ThreadPoolBuilder;

use super::{Case, Groth16, Time};

pub(super) struct Arkworks<'a> {
    case: &'a Case,
    key: ProvingKey<Bn254>,
    verifying: PreparedVerifyingKey<Bn254>,
    matrices: Vec<Matrix<Fr>>,
    z: Vec<Fr>,
    rng: StdRng,
    proof: Option<Proof<Bn254>>,
}

/// The case as a circuit of arkworks.
struct Imported<'a>(&'a Case);

impl ConstraintSynthesizer<Fr> for Imported<'_> {
    fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
        let Case { system, assignment, .. } = self.0;
        let mut cells = vec![Variable::One];
        for (i, &value) in assignment.z().iter().enumerate().skip(1) {
            let public = i <= assignment.public.len();
            cells.push(if public {
                cs.new_input_variable(|| Ok(value))?
            } else {
                cs.new_witness_variable(|| Ok(value))?
            });
        }
        let matrices = system.matrices();
        for i in 0..system.constraints() {
            let row = |side: usize| {
                let terms = system.row(matrices[side], i).map(|(column, x)| (x, cells[column]));
                LinearCombination(terms.collect())
            };
            cs.enforce_r1cs_constraint(|| row(0), || row(1), || row(2))?;
        }
        Ok(())
    }
}

impl<'a> Arkworks<'a> {
    pub(super) fn new(case: &'a Case) -> Result<Self> {
        let mut rng = StdRng::seed_from_u64(1);
        let key = Scheme::<Bn254>::generate_random_parameters_with_reduction(Imported(case), &mut rng)
            .map_err(|e| anyhow!("{e}"))?;
        let verifying = prepare_verifying_key(&key.vk);
        let matrices = case.system.matrices().map(|matrix| {
            let rows = 0..case.system.constraints();
            rows.map(|i| case.system.row(matrix, i).map(|(column, x)| (x, column)).collect()).collect()
        });
        let z = case.assignment.z();
        Ok(Self { case, key, verifying, matrices: matrices.into(), z, rng, proof: None })
    }
}

impl Groth16 for Arkworks<'_> {
    fn name(&self) -> &'static str {
        "arkworks"
    }

    fn prove(&mut self, threads: usize) -> Result<(Time, usize)> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let [r, s] = [Fr::rand(&mut self.rng), Fr::rand(&mut self.rng)];
        let (public, constraints) = (1 + self.case.assignment.public.len(), self.case.system.constraints());
        let prove = || {
            Scheme::<Bn254>::create_proof_with_reduction_and_matrices(
                &self.key,
                r,
                s,
                &self.matrices,
                public,
                constraints,
                &self.z,
            )
        };
        let (time, proof) = Time::of(|| pool.install(prove));
        let proof = self.proof.insert(proof.map_err(|e| anyhow!("{e}"))?);
        Ok((time, proof.compressed_size()))
    }

    fn verify(&mut self) -> Result<Time> {
        let proof = self.proof.as_ref().ok_or_else(|| anyhow!("a proof first"))?;
        let verify = || Scheme::<Bn254>::verify_proof(&self.verifying, proof, &self.case.assignment.public);
        let (time, holds) = Time::of(verify);
        ensure!(holds.map_err(|e| anyhow!("{e}"))?, "a proof of arkworks that does not hold");
        Ok(time)
    }
}
