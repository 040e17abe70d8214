//! Control characters of names, headers and contents never reach the terminal as they are.

use crate::bench::{Bench, FIVE, Ran};

/// Recolours, clears the screen, sets the title, writes over the line, and the same by one character of eight bits.
const HOSTILE: &str = "\u{1b}[31mred\u{1b}[2J\u{1b}]0\u{7}\u{9b}31m\r\u{202e}";

#[track_caller]
fn clean(ran: &Ran) {
    let bad = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!ran.out.contains(bad) && !ran.err.contains(bad), "{ran:?}");
}

/// Runs a command, whose output has no control characters.
#[track_caller]
fn run(bench: &Bench, args: &[&str]) -> Ran {
    let ran = bench.run(args);
    clean(&ran);
    ran
}

#[test]
fn nothing_in_a_file_moves_the_cursor() {
    let bench = Bench::new(FIVE);
    let run = |args: &[&str]| run(&bench, args);
    // A header, as the column that is wanted, one of several, and one that is missing.
    bench.write("head.csv", format!("\"{HOSTILE}\n\"\n1\n2\n").as_bytes());
    bench.write("two.csv", format!("{HOSTILE},b\n1,2\n").as_bytes());
    bench.write("semi.csv", format!("{HOSTILE};b\n1;2\n").as_bytes());
    bench.write("cell.csv", format!("a\n{HOSTILE}\n").as_bytes());
    bench.write("twice.csv", format!("{HOSTILE},{HOSTILE}\n1,2\n").as_bytes());
    bench.write(
        "member.jsonl",
        format!("{{{:?}: 1}}\n", "NAME").replace("NAME", "\\u001b[31mred\\r").as_bytes(),
    );
    bench.write("string.json", format!("[1, {HOSTILE}]").as_bytes());
    bench.write(
        "type.npy",
        b"\x93NUMPY\x01\x00\x40\0{'descr': '\x1b[31m', 'fortran_order': False, 'shape': (\x1b[2J,), }   ",
    );
    for args in [&["data"][..], &["commit", "-o", "c", "--bits", "100"], &["data", "--json"]] {
        for file in [
            "head.csv",
            "two.csv",
            "semi.csv",
            "cell.csv",
            "twice.csv",
            "member.jsonl",
            "string.json",
            "type.npy",
        ] {
            run(&[args, &[file]].concat());
            run(&[args, &[file, "-c", HOSTILE]].concat());
        }
    }
    // What comes back in verdicts, of a column and of a file of bytes.
    run(&["commit", "head.csv", "-o", "c", "--bits", "100"]).is(0, &["\\u{1b}[31mred"]);
    run(&["open", "head.csv", "--commitment", "c", "--row", "1", "--sum", "-o", "p"]).is(0, &[]);
    run(&["verify", "p", "--commitment", "c"]).is(0, &["valid:"]);
    run(&["verify", "p", "--commitment", "c", "--json"]).is(0, &[]);
    for file in ["c", "p"] {
        run(&["inspect", file]).is(0, &[]);
        run(&["inspect", file, "--json"]).is(0, &[]);
    }
}

#[test]
fn no_name_of_a_file_moves_the_cursor() {
    let bench = Bench::new(FIVE);
    let run = |args: &[&str]| run(&bench, args);
    // There and not.
    let name = format!("{HOSTILE}.csv");
    for line_break in ["", "\nvalid: all is well"] {
        let name = format!("{name}{line_break}");
        bench.write(&name, b"\x7fELF\0");
        let ran = run(&["commit", &name, "-o", "c", "--raw-bytes", "--bits", "100"]);
        ran.is(0, &[]);
        assert!(!ran.err.contains("\nvalid"), "{ran:?}");
        run(&["open", &name, "--commitment", "c", "--row", "0", "-o", "q"]).is(0, &[]);
        run(&["verify", "q", "--commitment", "c"]).is(0, &[]);
        run(&["inspect", "c"]).is(0, &[]);
        let out = format!("{name}.out");
        run(&["commit", "data.csv", "-c", "price", "-o", &out]).is(0, &[]);
        for command in ["data", "commit", "verify", "inspect", "compare"] {
            let ran = run(&[command, &format!("no{name}")]);
            ran.is(4, &[]);
            assert!(!ran.err.contains("\nvalid"), "{ran:?}");
        }
        run(&["verify", &name]).is(2, &[]);
    }
}

#[test]
fn no_argument_moves_the_cursor() {
    let bench = Bench::new(FIVE);
    let run = |args: &[&str]| run(&bench, args);
    let forged = format!("{HOSTILE}\nvalid: all is well");
    let forged = forged.as_str();
    for args in
        [&["commit", "data.csv", "--scheme", forged][..], &[forged], &["verify", "p", "--min-bits", forged]]
    {
        let ran = run(args);
        ran.is(2, &[]);
        assert!(!ran.err.contains("\nvalid") && ran.err.contains("\\u001b[31mred"), "{ran:?}");
    }
    // Arguments that are none.
    run(&["commit", "data.csv", &format!("--{HOSTILE}")]).is(2, &[]);
    run(&["commit", "data.csv", "--field", HOSTILE]).is(2, &[]);
    run(&["params", "--log-size", HOSTILE]).is(2, &[]);
}

#[cfg(feature = "ring")]
#[test]
fn no_name_of_a_ring_s_file_moves_the_cursor() {
    let bench = Bench::new(FIVE);
    bench.write(&format!("x.csv{HOSTILE}\nvalid: all is well"), b"[1, 2, 3]");
    let forged = |name: &str| format!("{name}{HOSTILE}\nvalid: all is well");
    let [key, ring, signature] = ["key", "ring", "sig"].map(forged);
    let ring_run = |args: &[&str]| {
        // Without the bits that other verifications are given here.
        let ran = if args[0] == "verify" { bench.as_given(args) } else { run(&bench, args) };
        clean(&ran);
        ran.is(0, &[]);
        assert!(!ran.out.contains("\nvalid: all") && !ran.err.contains("\nvalid: all"), "{ran:?}");
    };
    ring_run(&["ring", "keygen", "-o", &key]);
    std::fs::copy(bench.path(&format!("{key}.pub")), bench.path("again.pub")).unwrap();
    ring_run(&["ring", "commit", "again.pub", "-o", &ring, "--commitment", &forged("c")]);
    ring_run(&["ring", "prove", &ring, "--key", &key, "--context", HOSTILE, "-o", &signature]);
    ring_run(&["ring", "batch-verify", &signature, &signature, "--ring", &ring]);
    ring_run(&["verify", &signature, "--commitment", &forged("c")]);
    ring_run(&["compare", &forged("x.csv"), "--scheme", "pip", "--field", "koalabear", "--bits", "100"]);
}
