use super::*;

/// On a server there is no file to put back.
#[test]
fn the_hint_about_a_damaged_queue_is_about_its_engine() {
    let hint = |queue: &str| {
        let args = QueueArgs { queue: queue.into(), blobs: None };
        let failure = refused(&args, QueueError::Damaged("its version".into()));
        assert_eq!(failure.exit, Exit::Io);
        failure.hint.unwrap()
    };
    assert!(hint("q").contains("`queue.redb`"));
    for server in ["nats://127.0.0.1:4222/prices", "tls://user:word@host/prices"] {
        let hint = hint(server);
        assert!(hint.contains("`fleet-prices-records`"), "{hint}");
        assert!(!hint.contains("redb") && !hint.contains("word"), "{hint}");
    }
}
