"""An independent verifier of proof files that agrees with the notes; it needs Python 3 and nothing else.

    python3 notes/verify PROOF [WEIGHTS]     the messages of a proof, byte by byte, if it is valid
    python3 notes/verify                     the files of crates/cli/vectors and vectors/verdicts: valid ones are accepted,
                                             invalid ones and changed bytes refused
    python3 notes/verify --as-they-are       the same without changed bytes, in a tenth of the time

It checks that a proof holds for its parameters. Left out are the proven bits of the parameters, the reading of descriptions,
and what bounds the work of a verifier of files from strangers: it is slow, and not meant to be used.
"""

import csv
import json
import sys
import time
from pathlib import Path

from fields import binary_pair, prime_pair
from hashes import Hash
from schemes import verify
from tape import Invalid, Tape

ROOT = Path(__file__).resolve().parents[2]
FILES, VERDICTS = ROOT / "crates/cli/vectors/files", ROOT / "vectors/verdicts"
KOALA_BEAR = 2**31 - 2**24 + 1
CHANGES = 6

# Verdicts that are of what is left out: the proofs hold, and the descriptions of their data, or the proven bits, refuse the files.
LEFT_OUT = {
    "a mean without its sum", "a mean of fewer rows", "a mean by weights that add up to nothing", "no rows", "more rows than places",
    "a description of another application", "a description of a file of bytes", "a byte behind the description", "two columns",
    "a file without bytes", "a file longer than its commitment", "a description of a column", "more bits than are proven",
    "Air-FRI: a file longer than its commitment", "Air-FRI: a description of a column", "Air-FRI: an element of the challenge field",
    "sums of fewer rows of two columns", "more rows than places of two columns", "three columns where there are two", "a table of one column",
    "two columns of one name", "two columns of different lengths", "a byte behind a table",
    "an inner product of other rows", "an inner product with a mean",
    "weighted means of two columns by weights that add up to nothing", "weighted sums of three columns where there are two",
    "weighted sums of two columns, one described", "sums of two columns without weights",
}


def byte_weights(path):
    """Weights of a file's bytes: entries of 16 bytes with the byte lowest."""
    return b"".join(bytes([b]) + bytes(15) for b in path.read_bytes())


def column_weights(path, column):
    with open(path) as rows:
        numbers = [int(row[column]) % KOALA_BEAR for row in csv.DictReader(rows)]
    return b"".join(n.to_bytes(4, "little") for n in numbers)


def proofs():
    """Names, files and weights of the proofs that hold."""
    weights = {"weighted": column_weights(FILES / "rows.csv", "weight")}
    weights["ligerito-weighted"] = byte_weights(FILES / "weights.bin")
    for path in sorted(FILES.glob("*.proof")):
        if path.stem != "ring":
            yield path.stem, path, weights.get(path.stem)
    for case in verdicts():
        if case["verdict"] == "valid" or case["name"] in LEFT_OUT:
            yield case["name"], VERDICTS / case["proof"], case_weights(case)


def verdicts():
    return json.loads((VERDICTS / "verdicts.json").read_text())


def case_weights(case):
    given = case.get("field_weights") or case.get("weights")
    read = Path.read_bytes if "field_weights" in case else byte_weights
    return given and read(VERDICTS / given)


def invalid_files():
    """The files of other verdicts, by their names; all are refused."""
    cases = [case for case in verdicts() if case["verdict"] != "valid" and case["name"] not in LEFT_OUT]
    for case in cases:
        data = (VERDICTS / case["proof"]).read_bytes()
        assert refused(data, case_weights(case)), f"{case['name']}: accepted"
    return len(cases)


def refused(data, weights):
    try:
        verify(data, weights)
    except Invalid:
        return True
    return False


def known_answer():
    """The examples of the chapter on the transcript."""
    chapter = (ROOT / "notes/src/transcript.md").read_text()
    for number, count, field in ((1, 1, prime_pair(1).E), (6, 2, binary_pair(3).E)):
        hash = Hash(number)
        tape = Tape(hash, "example", bytes(hash.size), b"\1" * hash.size)
        values = [tape.state] + [challenge.write() for challenge in tape.challenges("c", count, field)]
        assert all(value.hex() in chapter for value in values), "the chapter on the transcript is wrong"


def all_proofs(changes=CHANGES):
    known_answer()
    count = 0
    for name, path, weights in proofs():
        start, data = time.time(), path.read_bytes()
        file, _, messages = verify(data, weights)
        changed = [data + b"\0", data[:-1]] if changes else []
        for i in range(changes):
            at = len(data) - 1 - i * len(file.body) // changes
            changed.append(data[:at] + bytes([data[at] ^ 1 << i]) + data[at + 1:])
        for other in changed:
            assert refused(other, weights), f"{name}: accepted with other bytes"
        params, seconds = file.params, time.time() - start
        what = f"{params.scheme}, {params.inner}, {params.pair.name}, {params.hash.name}"
        verdict = "proof alone" if name in LEFT_OUT else "valid"
        print(f"{name:46} {verdict} ({what}): {len(messages)} messages, {len(changed)} changes refused, {seconds:.1f} s")
        count += 1
    invalid = invalid_files()
    assert count >= 26 + 18 + len(LEFT_OUT) and invalid >= 24, "files are missing"
    print(f"{count} proofs hold, {invalid} other files are refused")


def one(path, weights=None):
    file, claims, messages = verify(Path(path).read_bytes(), weights and Path(weights).read_bytes())
    print(f"valid: {file.params.scheme} over {file.params.pair.name}, parameters {file.params_digest.hex()}")
    for form, values in zip(claims.forms, claims.values) if claims else ():
        print("form", [(a.write().hex(), b.write().hex()) for a, b in form], "values", [v.write().hex() for v in values])
    at = 0
    for label, length in messages:
        print(f"{at:8} {length:8}  {label}")
        at += length


if __name__ == "__main__":
    try:
        if sys.argv[1:] in ([], ["--as-they-are"]):
            all_proofs(0 if sys.argv[1:] else CHANGES)
        else:
            one(*sys.argv[1:])
    except Invalid as error:
        sys.exit(f"invalid: {error}")
