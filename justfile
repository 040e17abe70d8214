# `just` lists what there is to do. Each recipe is a plain command that also works by hand.

# show this list
default:
    @just --list --unsorted

# everything a change must pass: format, lints, all tests (the README's test command)
test:
    ./scripts/test

# format and lints only
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings

# print files over 400 lines and functions over 60 (verify: 80); fails if there are any
sizes:
    ./scripts/sizes

# build the book of the mathematics into target/notes (needs mdbook)
notes:
    mdbook build notes

# our own timings, sizes and proven bits
bench *args:
    cargo run --release -p tenfold-bench -- {{ args }}

# the peers under the same harness
bench-peer *args:
    cargo run --release -p tenfold-bench -- peer {{ args }}

# the fuzz tests for longer: any bytes into any parser or verifier, SECONDS for each
fuzz seconds="60":
    TENFOLD_FUZZ_SECONDS={{ seconds }} cargo test --workspace --release --locked fuzz_ -- --nocapture

# change every line of the verifiers and see which changes no test notices (needs cargo-mutants)
mutants *args:
    cargo mutants --file '**/verifier.rs' {{ args }}

# tests without the native instruction set, as a portable build has them
portable:
    RUSTFLAGS="" cargo test --workspace --locked --target-dir target/portable

# licences, advisories, duplicate and banned crates (needs cargo-deny)
deny:
    cargo deny --all-features check
