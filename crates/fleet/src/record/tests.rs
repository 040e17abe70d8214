use super::*;

fn record() -> Record {
    let job = Job { kind: "test".into(), payload: String::new(), inputs: Vec::new() };
    Record::new(job, Terms { deadline: Some(100), max_attempts: 2, memory: 0 }, 1)
}

#[test]
fn attempts_end() {
    let mut foreign = Record { attempts: u32::MAX, ..record() };
    assert!(foreign.claim(1, "w", 2), "a count that somebody else wrote");
    foreign.attempts = 0;
    foreign.fail(1, &Fault::HandBack, 3);
    let mut record = record();
    assert!(record.claim(1, "w", 2) && !record.claim(2, "w", 2), "one worker at a time");
    record.lose(3);
    assert_eq!((record.state, record.attempts), (State::Queued, 1));
    assert!(record.claim(2, "w", 4));
    record.fail(1, &Fault::Permanent("stale".into()), 5);
    assert_eq!(record.beat(1), Beat::Lost, "the first lease");
    assert_eq!(record.beat(2), Beat::Held, "a stale worker ends nobody else's attempt");
    record.fail(2, &Fault::HandBack, 6);
    assert_eq!((record.state, record.attempts), (State::Queued, 1), "handed back");
    assert!(record.claim(3, "w", 7));
    record.fail(3, &Fault::Retry("e".repeat(5000)), 8);
    assert_eq!((record.state, record.error.as_ref().map(String::len)), (State::Failed, Some(MAX_ERROR)));
    assert!(!record.claim(4, "w", 9));
    assert_eq!(record.complete(Id([1; 32]), 10), Completion::First, "a slow worker's result");
}

#[test]
fn the_first_result_stays() {
    let mut record = record();
    assert_eq!(record.complete(Id([1; 32]), 2), Completion::First);
    assert_eq!(record.complete(Id([1; 32]), 3), Completion::Repeated);
    assert_eq!(record.complete(Id([2; 32]), 4), Completion::Conflict { kept: Id([1; 32]) });
    assert_eq!(record.complete(Id([3; 32]), 5), Completion::Conflict { kept: Id([1; 32]) });
    assert_eq!((record.state, record.result), (State::Done, Some(Id([1; 32]))));
    assert_eq!(record.conflict, Some(Id([2; 32])));
    record.cancel(6);
    assert!(!record.expire(1000) && record.state == State::Done, "done is final");
    record.lose_result(Id([2; 32]), 7);
    assert_eq!(record.state, State::Done, "another blob than the result's is lost");
    record.lose_result(Id([1; 32]), 8);
    assert_eq!((record.state, record.result, record.conflict), (State::Failed, None, None));
    assert_eq!(record.complete(Id([1; 32]), 9), Completion::First, "made again");
}

#[test]
fn deadlines_and_cancelling_end_a_job() {
    for end in [|r: &mut Record| r.cancel(50), |r: &mut Record| assert!(r.expire(101))] {
        let mut record = record();
        assert!(record.claim(1, "w", 2));
        end(&mut record);
        assert_eq!(record.beat(1), Beat::Closed(record.state));
        assert_eq!(record.complete(Id([1; 32]), 60), Completion::Closed(record.state));
        record.lose(70);
        record.fail(1, &Fault::Retry(String::new()), 70);
        assert!(!record.claim(2, "w", 70) && !record.state.is_open() && record.result.is_none());
    }
    let mut late = record();
    assert!(!late.claim(1, "w", 101) && late.state == State::Expired, "not claimed after its deadline");
}

#[test]
fn a_job_that_is_over_without_a_result_waits_anew_when_it_is_submitted_again() {
    let terms = Terms { deadline: Some(900), max_attempts: 1, memory: 7 };
    let fail = |r: &mut Record| r.fail(1, &Fault::Permanent("no".into()), 3);
    for end in [fail, |r: &mut Record| r.cancel(3), |r: &mut Record| assert!(r.expire(101))] {
        let mut record = record();
        assert!(record.claim(1, "w", 2) && !record.resubmit(&terms, 2), "one that runs stays");
        assert_eq!(record.terms.max_attempts, 2);
        end(&mut record);
        assert!(record.resubmit(&terms, 200) && !record.resubmit(&terms, 200));
        assert_eq!((record.state, record.attempts, &record.error), (State::Queued, 0, &None));
        assert_eq!((&record.terms, record.beat(1)), (&terms, Beat::Lost), "the old lease ends nothing");
        assert!(record.claim(2, "w", 201) && record.attempts == 1);
        assert_eq!(record.complete(Id([1; 32]), 202), Completion::First);
        assert!(!record.resubmit(&terms, 203) && record.state == State::Done, "done is final");
    }
}

#[test]
fn records_are_read_as_they_were_written_and_nothing_else_is() {
    let mut record = record();
    assert!(record.claim(u128::MAX, "w\n\u{1b}x", 2));
    assert_eq!(record.holder.as_ref().map(|h| h.worker.as_str()), Some("w  x"));
    let bytes = record.encode();
    assert_eq!(Record::decode(&bytes), Ok(record));
    for end in 0..bytes.len() {
        assert!(Record::decode(&bytes[..end]).is_err());
    }
}

/// It costs no attempt, is said of a job that waits, and ends with the deadline alone, whose record says why.
#[test]
fn a_job_that_is_not_understood_waits_for_its_deadline() {
    let mut record = record();
    let unknown = Fault::NotUnderstood("its kind is `new`".into());
    for now in 2..50 {
        assert!(
            record.claim(1, "w", now) && record.not_understood().is_none(),
            "who runs it may understand it"
        );
        record.fail(1, &unknown, now);
        assert_eq!((record.state, record.attempts), (State::Queued, 0));
        assert_eq!(record.not_understood(), Some("its kind is `new`"));
    }
    let mut handed_back = record.clone();
    assert!(handed_back.claim(2, "w", 60));
    handed_back.fail(2, &Fault::HandBack, 61);
    assert_eq!((handed_back.not_understood(), &handed_back.error), (None, &None), "the last one began it");
    let mut late = record.clone();
    assert!(late.claim(2, "w", 60));
    late.fail(2, &unknown, 101);
    assert!(record.expire(101));
    for record in [record, late] {
        assert_eq!((record.state, record.not_understood()), (State::Expired, None));
        assert_eq!(record.error.as_deref(), Some("no worker here understands it: its kind is `new`"));
    }
}
