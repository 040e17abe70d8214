# `just` lists what there is to do. Each recipe is a plain command that also works by hand.

# show this list
default:
    @just --list --unsorted

# everything a change must pass: format, lints, all tests (the README's test command)
test:
    ./scripts/test

# the tests of the libraries but the fourteen longest, the library front and the codebase: a first answer after a change
quick:
    cargo test --workspace --exclude tenfold-bench --locked --lib --test facade --test verdicts --test house --test notes_ids -- \
        --skip the_table_has_what_the_search_finds --skip found_parameters_prove_the_bits --skip levels_prove_their_bits --skip own_proofs \
        --skip files_with_points_of_order_3 --skip suites_rings_domains_and_contexts_are_mixed --skip proven_root:: \
        --skip the_digest_of_the_smallest_size --skip keys_are_of_their_circuit_whole --skip gas_of_batches --skip keys_of_other_circuits \
        --skip batches_are_proved_without_free_cells --skip an_operator_moves_the_root --skip a_batch_with_padding_is_proven

# the command line as it is built without features, and what it says of those that it lacks
default-test:
    cargo test -p tenfold-cli --locked

# format and lints only
check:
    cargo fmt --all --check
    cargo clippy --workspace --exclude tenfold-bench --features tenfold-cli/ring --all-targets --locked -- -D warnings

# lints and tests of the benchmarks, which compile their peers: not part of `just test`
bench-test:
    cargo clippy -p tenfold-bench --all-targets --locked -- -D warnings
    cargo test -p tenfold-bench --locked

# the documentation of all crates, with all features and with those of default builds, without warnings
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --exclude tenfold-bench --no-deps --locked --features tenfold-cli/full,tenfold-fleet/nats
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --exclude tenfold-bench --no-deps --locked

# each crate as its package holds it, built from that alone (a quarter of an hour); in a folder of its own, since these builds would take the place of the tests'
package:
    cargo package --workspace --exclude tenfold-bench --locked --target-dir target/packages

# lints and tests of Parquet and Arrow input, which the quick default build leaves out
columnar-test:
    cargo clippy -p tenfold-data -p tenfold-cli --all-targets --features tenfold-data/columnar,tenfold-cli/columnar,tenfold-cli/ring --locked -- -D warnings
    cargo test -p tenfold-data --features columnar --locked --lib --tests

# the cluster's tests under MPI, where there is an MPI library; `just mpi-test mpich` where there are two beside each other
mpi-test library="":
    TENFOLD_MPI_LIBRARY={{ library }} ./scripts/mpi

# a commitment that does not fit the memory of one rank, by four; where there is an MPI library
cluster-memory *arguments:
    ./scripts/cluster-memory {{arguments}}

# the job queue: a thousand jobs and twenty killed workers in a shared folder, then its laws on NATS, where there is a server
fleet-test:
    cargo test -p tenfold-fleet --locked --test embedded -- --ignored --nocapture
    ./scripts/nats-test

# proofs of 1, 2, 4, 8 and 16 ranks, threads and then processes under MPI, against those of one machine, byte for byte
cluster-identity:
    cargo test -p tenfold-cluster --locked --lib bytes_of_one_machine -- --nocapture
    TENFOLD_MPI_RANKS=1,2,4,8,16 ./scripts/mpi

# one proof by two ranks in two network namespaces, at 10 and 1 Gbit/s; as root
cluster-hosts *arguments:
    ./scripts/cluster-hosts {{arguments}}

# a cable between two ranks that is cut in the middle of a proof: who is named, and the proof without it; as root
cluster-cut size="20":
    ./scripts/cluster-hosts cut {{size}}

# the command as it is released, with all that it has
release:
    cargo build --release -p tenfold-cli --features full --locked

# write the tables of parameters for common wishes anew: after a change to a search or its prices
found:
    TENFOLD_WRITE_FOUND=1 cargo test -p tenfold-pcs --lib --locked the_table_has_what_the_search_finds

# build the book of the mathematics into target/notes (needs mdbook)
notes:
    mdbook build notes

# the independent verifier in Python on the shipped proofs
notes-verify:
    python3 -B notes/verify

# any measurement: `just bench table --log-size 20 --no-save`; peers choose their instructions when they are compiled, so for this CPU
bench *args:
    RUSTFLAGS="-C target-cpu=native" cargo run --release -p tenfold-bench --target-dir target/native -- {{ args }}

# thousands of simulated power losses and a hundred killed processes against the ledger's store
ledger-crashes:
    cargo test --release --locked -p tenfold-ledger --lib -- --ignored --nocapture loses_no_acknowledged by_thousands

# the circuit of 1,024 transactions: built, satisfied and counted, in 800 MB
ledger-circuit:
    cargo test --release --locked -p tenfold-ledger --lib -- --ignored --nocapture the_largest_circuit

# compile the ledger's contracts with the pinned solc; `just contracts --check` compares with what is committed
contracts *arguments:
    ./scripts/solc {{ arguments }}

# files of the ledger as this version writes them, into a new folder of vectors (crates/ledger/src/tests/old_files.rs names it)
ledger-vectors:
    cargo test --locked -p tenfold-ledger --lib -- --ignored --nocapture write_a_ledger_of_this_version
    cargo test --locked -p tenfold-ledger --lib -- --ignored --nocapture write_keys_and_calls_of_this_version
    cargo test --locked -p tenfold-ledger --lib -- --ignored --nocapture write_lists_of_signatures

# the ledger's contract on a node: batches, refusals, a reorganisation, another chain id
anvil-test *arguments:
    ./scripts/anvil-test {{ arguments }}

# one batch of 64 in root mode on a tree of 2^24 accounts: setup, proof, verification, with CPU time and memory
ledger-root:
    cargo test --locked -p tenfold-ledger --lib -- --ignored --nocapture a_batch_of_64_on

# multilinear KZG, plain beside 16 fragments, and by several ranks
bench-kzg *args:
    just bench kzg {{ args }}

# the lines of the ranks of KZG and of DeVirgo by processes under MPI, one thread each
bench-mpi ranks="2" sizes="16,18":
    RUSTFLAGS="-C target-cpu=native" cargo build --release -p tenfold-bench --features mpi --target-dir target/native
    RAYON_NUM_THREADS=1 mpirun --bind-to none -n {{ ranks }} target/native/release/tenfold-bench kzg --log-size {{ sizes }}
    RUSTFLAGS="-C target-cpu=native" cargo build --release -p tenfold-cluster --example devirgo --features mpi --target-dir target/native
    RAYON_NUM_THREADS=1 mpirun --bind-to none -n {{ ranks }} target/native/release/examples/devirgo mpi {{ sizes }} 3

# PIP_FRI, DeepFold and Virgo, then DEPIP_FRI and DeVirgo by 1, 2 and 4 ranks, at 100 proven bits: sizes and counted rounds
bench-virgo sizes="16,18,20" rounds="5":
    RUSTFLAGS="-C target-cpu=native" cargo run --release -p tenfold-cluster --example devirgo --target-dir target/native -- {{ sizes }} {{ rounds }}

# the table at one size: ours and DeepFold beside Plonky3's WHIR and FRI, this at its usual queries and at those that prove 100 bits
bench-table size="20" *args:
    just bench table --log-size {{ size }} --peer-queries 67,124 {{ args }}

# how everything grows, 2^16 to 2^26, over every field
bench-scaling *args:
    just bench table --log-size 16,18,20,22,24,26 --field koala-bear,goldilocks --deepfold 6 --html target/scaling.html {{ args }}
    just bench table --log-size 16,18,20,22 --field mersenne61,bn254 --deepfold 6 --html target/scaling-wide.html {{ args }}

# ours at rates 1/2, 1/4, 1/8 and 1/16
bench-rates *args:
    just bench table --log-size 20,21,22,23,24,25 --rates 1,2,3,4 --ours-only {{ args }} --out crates/bench/results/rates.json

# the sizes of the paper's Table 1, beside what it reports
bench-paper *args:
    just bench table --log-size 20,21,22,23,24,25 --field goldilocks --deepfold 6 --paper {{ args }} --out crates/bench/results/paper.json

# Ligerito beside the published crate and Plonky3's WHIR and BaseFold, 4 MiB and 64 MiB of data
bench-binary *args:
    just bench binary --log-size 20 {{ args }}
    just bench binary --log-size 24 --rounds 3 {{ args }}

# the sizes of the published table as far as memory goes: about 20 minutes
bench-binary-large *args:
    just bench binary --log-size 26 --rounds 2 {{ args }}
    just bench binary --log-size 28 --rounds 1 --paper {{ args }}

# predictions of the search for Ligerito's profiles, beside measurements
bench-model *args:
    just bench model {{ args }}

# ring proofs beside w3f-ring-proof and ark-vrf: setup, rings, proving, verifying
bench-ring *args:
    just bench ring {{ args }}

# Groth16 beside arkworks and, where there is a Go compiler, gnark: dense circuits, half booleans, a batch of transfers
bench-groth16 *args:
    just bench groth16 {{ args }}

# what setup, proofs, verification and key files of Groth16 cost, at 2^14 to 2^18 constraints
groth16:
    cargo test --release -p tenfold-snark --lib -- --ignored --nocapture groth16::tests::long

# the peer alone, at several queries
bench-peer *args:
    just bench peer {{ args }}

# one page with plots from results
bench-page *results:
    just bench page {{ results }} --output target/bench.html

# the fuzz tests for longer: any bytes into any parser or verifier, SECONDS for each
fuzz seconds="60":
    TENFOLD_FUZZ_SECONDS={{ seconds }} cargo test --workspace --features tenfold-cli/ring --release --locked fuzz_ -- --nocapture

# what a clock sees of a ring prover's secrets, by more samples than the tests take: prints Welch's t of each (a quiet machine, some minutes)
ring-timing samples="20000":
    TENFOLD_TIMING_SAMPLES={{ samples }} cargo test --release --locked -p tenfold-ring --lib timing -- --ignored --nocapture --test-threads=1

# change every line of the verifiers and see which changes no test notices (needs cargo-mutants)
mutants *args:
    cargo mutants --file '**/verifier.rs' {{ args }}

# tests without vector instructions, and tests compiled for this CPU
portable:
    TENFOLD_CPU=portable cargo test --workspace --exclude tenfold-bench --features tenfold-cli/ring --locked
    RUSTFLAGS="-C target-cpu=native" cargo test --workspace --exclude tenfold-bench --features tenfold-cli/ring --locked --target-dir target/native

# small cases of the kernels of field under Miri, which finds undefined behaviour (needs nightly with miri and rust-src). Interpreted for PowerPC: elsewhere Plonky3 has lines of assembly
miri:
    CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=true cargo +nightly miri test --locked -p tenfold-field --test small --target powerpc64le-unknown-linux-gnu --target-dir target/miri \
        --config profile.dev.package.tenfold-field.opt-level=0 --config profile.dev.package.tenfold-field.overflow-checks=true

# the vector kernels of field and curve under AddressSanitizer (needs nightly)
asan:
    RUSTFLAGS="-Zsanitizer=address" CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=true cargo +nightly test --locked -p tenfold-field -p tenfold-curve --lib --tests --target x86_64-unknown-linux-gnu --target-dir target/asan \
        --config profile.dev.package.tenfold-field.overflow-checks=true --config profile.dev.package.tenfold-curve.overflow-checks=true

# the command line on emulated CPUs without AVX-512, and without AVX2 (needs qemu-x86_64; BINARY: a build to run)
qemu *binary:
    ./scripts/qemu {{ binary }}

# builds for 64-bit ARM, Windows and macOS, run as far as emulators do (SYSTEMS: arm, windows, macos; needs qemu-aarch64, wine and cross compilers)
systems *systems:
    ./scripts/systems {{ systems }}

# whether this toolchain still compiles docs/codegen-units-1.rs wrongly (needs a CPU with AVX-512)
codegen-units-1:
    mkdir -p target
    rustc -C opt-level=3 -C codegen-units=1 -C target-cpu=znver4 -C target-feature=-sse4a docs/codegen-units-1.rs -o target/codegen-units-1
    timeout 10 target/codegen-units-1 || echo "still wrong"

# licences, advisories, duplicate and banned crates (needs cargo-deny)
deny:
    cargo deny --all-features check
