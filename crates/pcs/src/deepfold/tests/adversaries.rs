//! One prover for each check of the verifier, honest but for one deviation, its transcript consistent: the check that
//! rejects it is named.

use super::reference::{Deviation, run};
use super::{entries, point, scheme, small, unshredded};
use crate::deepfold::Params;
use crate::fields::Fields;
use field::{Field, Goldilocks, Goldilocks2};
use iop::poly::TensorForm;

fn form() -> TensorForm<Goldilocks2> {
    point(7, 1)
}

fn rejects(params: &Params, forms: Vec<TensorForm<Goldilocks2>>, deviation: Deviation, reason: &str) {
    let scheme = scheme::<Goldilocks, Goldilocks2>(params.clone());
    let data = entries(1 << params.log_size);
    let verdict = |deviation| {
        let (commitment, claims, proof) = run(&scheme, &data, forms.clone(), deviation);
        scheme.verify(&commitment, &claims, &proof)
    };
    assert_eq!(verdict(Deviation::None), Ok(()));
    assert_eq!(verdict(deviation).unwrap_err().0, reason, "{deviation:?} {params:?}");
}

const LINK: &str = "a word is not the fold of the one before";
const LAST_LINK: &str = "the final message is not the fold of the last word";
const CLAIMS: &str = "the final message does not satisfy the claims";

/// In the tests of links one claim leaves room for another message, and enough queries leave none for luck.
fn settings() -> [Params; 2] {
    let shredded = Params { queries: 40, ..small(Fields::Goldilocks2) };
    [shredded.clone(), Params { log_columns: 0, ..shredded }]
}

#[test]
fn malicious_prover_deviates_in_the_value() {
    let [shredded, single] = settings();
    rejects(&shredded, vec![form()], Deviation::Value, "the partial evaluations do not add up to the value");
    rejects(&shredded, vec![form()], Deviation::ValueAndPartial, CLAIMS);
    rejects(&single, vec![form()], Deviation::Value, CLAIMS);
}

/// The commitment is to one polynomial, everything after it is about another: only the link of round zero sees it.
#[test]
fn malicious_prover_with_another_polynomial() {
    for params in settings() {
        rejects(&params, vec![form()], Deviation::Switch, LINK);
    }
}

#[test]
fn malicious_prover_with_another_word() {
    for params in settings() {
        for folds in 1..params.rounds() {
            rejects(&params, vec![form()], Deviation::SwitchAfter(folds), LINK);
        }
    }
}

#[test]
fn malicious_prover_deviates_in_the_final_message() {
    for params in settings() {
        let params = Params { log_final: 2, ..params };
        rejects(&params, vec![form()], Deviation::SwitchAfter(params.rounds()), LAST_LINK);
    }
}

/// The only fold there is leads from the commitment to the final message.
#[test]
fn malicious_prover_in_the_only_round() {
    for params in settings() {
        let params = Params { log_final: params.log_rows() - 1, ..params };
        rejects(&params, vec![form()], Deviation::Switch, LAST_LINK);
    }
}

#[test]
fn malicious_prover_deviates_in_a_slope() {
    for params in settings() {
        for round in 0..params.rounds() {
            rejects(&params, vec![form()], Deviation::Slope(round), CLAIMS);
        }
    }
}

/// Where the factors of a variable add up to zero, two values are sent: the slope must give the claim's value, the
/// even one stays to be seen at the end.
#[test]
fn malicious_prover_deviates_in_a_half() {
    let reason = "the values of the halves do not add up to the claim";
    for params in settings() {
        let mut factors = form().factors().to_vec();
        factors[params.log_columns as usize] = [Goldilocks2::from_u64(3), -Goldilocks2::from_u64(3)];
        let forms = vec![TensorForm::new(factors.clone())];
        rejects(&params, forms.clone(), Deviation::Even, CLAIMS);
        rejects(&params, forms, Deviation::Slope(0), reason);
        // The zero form has the value zero, whatever is sent.
        factors[params.log_columns as usize] = [Goldilocks2::ZERO; 2];
        let deviation = if params.log_columns == 0 { Deviation::Value } else { Deviation::ValueAndPartial };
        rejects(&params, vec![TensorForm::new(factors)], deviation, reason);
    }
}

#[test]
fn malicious_prover_outside_the_domain() {
    let paper = Params { queries: 40, ..unshredded(Fields::Goldilocks2) };
    let shredded = Params { log_columns: 2, ..paper.clone() };
    for params in [&paper, &shredded] {
        for round in 1..params.rounds() {
            rejects(params, vec![form()], Deviation::Deep(round), CLAIMS);
        }
    }
    rejects(&paper, vec![form()], Deviation::OutOfDomain, CLAIMS);
    rejects(
        &shredded,
        vec![form()],
        Deviation::OutOfDomain,
        "the partial evaluations do not add up to the value",
    );
}

#[test]
fn malicious_prover_deviates_in_a_leaf() {
    for params in settings() {
        for word in 0..params.rounds() {
            let reason = "Merkle opening does not lead to the commitment";
            rejects(&params, vec![form()], Deviation::Leaf(word), reason);
        }
    }
}

#[test]
fn malicious_prover_deviates_in_work() {
    for params in settings() {
        rejects(
            &Params { grinding: 20, ..params },
            vec![form()],
            Deviation::Nonce,
            "the proof of work does not fit: statement or proof were changed, or the work is too little",
        );
    }
}
