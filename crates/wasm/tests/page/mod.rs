//! What a page does with the module: `verify.mjs`, run by node where there is one.

use super::cases::{BITS, all};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Node, the module, and the files of a case and of a weighted sum, with which `verify.mjs` is run. None without node or module.
struct Page {
    module: OsString,
    folder: PathBuf,
}

impl Page {
    /// With the files of one test, so that tests do not write over those of another one.
    fn new(test: &str) -> Option<Self> {
        let Some(module) = std::env::var_os("TENFOLD_WASM") else {
            eprintln!("NOT RUN: verify.mjs; ./scripts/wasm builds the module, and ./scripts/test runs this");
            return None;
        };
        if Command::new("node").arg("--version").output().is_err() {
            eprintln!("NOT RUN: verify.mjs; there is no node on this machine");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        std::fs::create_dir_all(&folder).expect("a folder");
        let page = Self { module, folder };
        let all = all();
        let weighted = all.iter().find(|case| case.name == "weighted sum").expect("a weighted sum");
        for (name, bytes) in [
            ("proof", &all[0].proof),
            ("commitment", &all[0].commitment),
            ("weighted.proof", &weighted.proof),
            ("weighted.commitment", &weighted.commitment),
            ("weights", &weighted.weights),
        ] {
            std::fs::write(page.folder.join(name), bytes).expect("a file");
        }
        Some(page)
    }

    fn script() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("verify.mjs")
    }

    /// The command, in the folder of the files, with the module before the arguments.
    fn run(&self, args: &[&str]) -> Output {
        let mut node = Command::new("node");
        node.current_dir(&self.folder).arg(Self::script()).arg(&self.module).args(args);
        node.output().expect("node runs")
    }

    /// A program of a page's, which has `verify`, `module` (compiled), `proof` and `commitment`, with arguments that `verify.mjs` would take for its own.
    fn program(&self, text: &str) -> Output {
        let text = format!(
            "import {{ readFileSync }} from 'node:fs';
             import {{ verify }} from {:?};
             const [proof, commitment] = ['proof', 'commitment'].map((name) => new Uint8Array(readFileSync(name)));
             const module = new WebAssembly.Module(readFileSync(process.argv[2]));
             {text}",
            Self::script()
        );
        std::fs::write(self.folder.join("page.mjs"), text).expect("a program");
        let mut node = Command::new("node");
        node.current_dir(&self.folder).arg("page.mjs").arg(&self.module).args(["proof", "commitment"]);
        node.output().expect("node runs")
    }
}

/// The bits asked for reach the module as they are, and what is no number of bits reaches no verdict: the module would take
/// it modulo 2^32, or for 0.
#[test]
fn the_bits_that_a_page_asks_for() {
    let Some(page) = Page::new("bits") else { return };
    let asked = BITS.to_string();
    for (bits, status, words) in [
        (&[asked.as_str()][..], 0, "\"valid\": true"),
        (&["0"], 0, "\"valid\": true"),
        (&["200"], 1, "200 bits are required"),
        (&["4294967295"], 1, "4294967295 bits are required"),
        // Without a number, as many are asked for as by the command line.
        (&[], 1, "is below the required 128"),
    ] {
        let output = page.run(&[&["proof", "commitment"][..], bits].concat());
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.code() == Some(status) && report.contains(words), "{bits:?}: {output:?}");
    }
    for bits in ["-1", "1.5", "4294967296", "4294967386", "ninety", "Infinity", ""] {
        let output = page.run(&["proof", "commitment", bits]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{bits:?}: {output:?}");
        assert!(said.contains("no number of bits"), "{bits:?}: {said}");
    }
}

/// No exit code says that a proof holds which was not judged; a weighted sum is judged with its weights.
#[test]
fn exit_codes_are_those_of_the_command_line() {
    let Some(page) = Page::new("codes") else { return };
    let weighted = ["weighted.proof", "weighted.commitment"];
    for (args, status) in [
        (&[][..], 2),
        (&["proof"], 2),
        (&["proof", "none"], 4),
        (&["proof", "commitment", "0", "none"], 4),
        (&["commitment", "proof", "0"], 2),
        (&["proof", "commitment", "0"], 0),
        (&["proof", "commitment", "0", "weights"], 1),
        (&[weighted[0], weighted[1], "0", "weights", "1"], 0),
        (&[weighted[0], weighted[1], "0", "weights"], 1),
        (&[weighted[0], weighted[1], "0", "weights", "1", "more"], 2),
        (&[weighted[0], weighted[1], "0"], 1),
        (&["proof", "commitment", "0", "weights", "more"], 2),
        (&["proof", "commitment", "0", "--expect", "row:7=0.08"], 0),
        (&["--expect", "row:7", "proof", "commitment", "0", "--expect", "sum"], 1),
        (&["proof", "commitment", "0", "--expect", "rows"], 2),
        (&["proof", "commitment", "0", "--expect", ""], 2),
        (&["proof", "commitment", "0", "--expect"], 2),
    ] {
        let output = page.run(args);
        assert_eq!(output.status.code(), Some(status), "{args:?}: {output:?}");
    }
}

/// Values other than arrays of bytes never reach the module: they have no length, or not that of the bytes written there.
#[test]
fn arguments_that_are_no_bytes() {
    let Some(page) = Page::new("types") else { return };
    let output = page.program(
        "const instance = new WebAssembly.Instance(module);
         const names = { proof, commitment, weights: new Uint8Array() };
         const others = (bytes) => [
           bytes.buffer, new DataView(bytes.buffer), [...bytes], String(bytes), new Uint16Array(bytes), { length: 5 }, { length: '5' }, 5, null,
           new SharedArrayBuffer(8), new Float64Array(bytes), { [Symbol.toStringTag]: 'Uint8Array', length: 5 },
         ];
         for (const name of Object.keys(names)) for (const other of others(names[name])) {
           const given = { ...names, [name]: other };
           try {
             const { status } = verify(instance, given.proof, given.commitment, given.weights, 0);
             console.log(`${name} ${Object.prototype.toString.call(other)}: status ${status}`);
           } catch (error) {
             if (!(error instanceof TypeError) || !error.message.startsWith(`the ${name} is to be a Uint8Array`)) console.log(String(error));
           }
         }
         for (const bits of [90n, '90', null, 90.5]) try {
           console.log(bits, verify(instance, proof, commitment, undefined, bits).status);
         } catch (error) {
           if (!(error instanceof RangeError)) console.log(String(error));
         }
         const view = new Uint8Array(new SharedArrayBuffer(proof.length + 3), 3);
         view.set(proof);
         if (verify(instance, view, commitment, undefined, 0).status !== 0) console.log('a part of a shared buffer');
         if (instance.exports.memory.buffer.byteLength > 4e6) console.log('the memory has grown');",
    );
    // It has printed nothing, and this file's command has not run by the program's arguments.
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

/// A policy reaches the module whole, and what is none, or would be taken for a weaker one, reaches no verdict.
#[test]
fn the_policy_that_a_page_asks_for() {
    let Some(page) = Page::new("policies") else { return };
    let output = page.program(&format!(
        "const instance = new WebAssembly.Instance(module);
         const by = (policy) => verify(instance, proof, commitment, undefined, policy);
         for (const [policy, status] of [
           [{BITS}, 0], [{{ minBits: {BITS} }}, 0], [{{ minBits: {BITS}, theorems: undefined, uniqueDecoding: false }}, 0],
           [undefined, 1], [{{}}, 1], [{{ interactiveBits: 60 }}, 1], [200, 1],
           [{{ minBits: {BITS}, interactiveBits: 60 }}, 0], [{{ minBits: {BITS}, interactiveBits: {BITS} }}, 1],
           [{{ minBits: {BITS}, theorems: ['dkt26'] }}, 0], [{{ minBits: {BITS}, theorems: ['bchks25', 'dkt26'] }}, 0],
           [{{ minBits: {BITS}, theorems: ['bciks20'] }}, 1], [{{ minBits: {BITS}, theorems: ['dkt26', 'bciks20'] }}, 1],
           [{{ minBits: {BITS}, expect: [] }}, 0], [{{ minBits: {BITS}, expect: ['row:7', 'row:7=8/100'] }}, 0],
           [{{ minBits: {BITS}, expect: ['row:7', 'sum'] }}, 1], [{{ minBits: {BITS}, expect: ['rows'] }}, 2],
           [{{ minBits: {BITS}, theorems: ['bchks25-4.6'] }}, 0], [{{ minBits: {BITS}, uniqueDecoding: true }}, 1],
           [{{ minBits: {BITS}, weightsDecimals: 0 }}, 0], [{{ minBits: {BITS}, weightsDecimals: 1 }}, 0],
         ]) if (by(policy).status !== status) console.log(policy, by(policy));
         if (by({{ minBits: {BITS}, theorems: ['dkt26'] }}).report.security.theorems !== 'dkt26') console.log('other theorems');
         for (const policy of [
           {{ minbits: 128 }}, {{ theorem: ['dkt26'] }}, {{ theorems: [] }}, {{ theorems: 'dkt26' }}, {{ theorems: null }}, {{ theorems: ['DKT26'] }},
           {{ theorems: [,] }}, {{ theorems: ['toString'] }}, {{ interactiveBits: -1 }}, {{ interactiveBits: 2 ** 32 }}, {{ interactiveBits: '60' }}, {{ minBits: null }},
           {{ weightsDecimals: -1 }}, {{ weightsDecimals: '1' }}, {{ weightsDecimals: 1.5 }}, {{ weightsDecimals: 2 ** 32 }}, {{ uniqueDecoding: 1 }}, {{ uniqueDecoding: null }}, {{ expect: 'row:7' }}, {{ expect: [''] }}, {{ expect: ['row:7\\nsum'] }}, {{ expect: [7] }}, {{ expect: null }}, new Number(200), [], new Map([['minBits', 200]]), null, '128', true,
         ]) try {{
           console.log(policy, by(policy).status);
         }} catch (error) {{
           if (!(error instanceof TypeError || error instanceof RangeError)) console.log(policy, String(error));
         }}",
    ));
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

/// The document of a page, as far as its program asks for it: elements with their texts, and listeners.
const DOCUMENT: &str = r#"
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [page, program] = process.argv.slice(2);
const html = readFileSync(page, "utf8");
const make = (name) => ({ name, textContent: "", className: "", value: "", files: [], children: [], listeners: {},
  append(...children) { this.children.push(...children); },
  replaceChildren(...children) { this.children = children; },
  addEventListener(event, listener) { this.listeners[event] = listener; } });
const places = {};
for (const [, id] of html.matchAll(/ id="([a-z]+)"/g)) places[id] = make(id);
places.module.textContent = html.match(/id="module">([^<]*)</)[1];
places.bits.value = "128";
places.interactive.value = "0";
places.decimals.value = "0";
globalThis.document = { createElement: make, getElementById: (id) => places[id] ?? null };
await import(pathToFileURL(program));
const file = (bytes) => ({ size: bytes.length, arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) });
const text = (node) => [node.textContent, ...node.children.map(text)].filter((text) => text !== "").join(" | ");
const ask = async (chosen, bits = "128", claims = "") => {
  for (const id of ["commitment", "proof", "weights"]) places[id].files = chosen[id] ? [file(new Uint8Array(readFileSync(chosen[id])))] : [];
  [places.bits.value, places.claims.value, places.decimals.value] = [bits, claims, chosen.decimals ?? "0"];
  const submitted = places.form.listeners.submit({ preventDefault() {} });
  if (chosen.meanwhile) places.form.listeners.input();
  await submitted;
  return text(places.verdict);
};
"#;

/// The page as it is built: one file, whose own program shows the verdict, the claims and the proven bits.
#[test]
fn the_page_shows_the_verdict() {
    let Some(page) = Page::new("html") else { return };
    let html = PathBuf::from(&page.module).with_extension("html");
    let text = std::fs::read_to_string(&html).expect("scripts/wasm writes the page beside the module");
    // Nothing is asked for from elsewhere, and the policy of the page forbids it.
    for elsewhere in
        ["src=", "href=", "fetch(", "innerHTML", "http://", "https://", "@module@", "@verify.mjs@"]
    {
        assert!(!text.contains(elsewhere), "{elsewhere}");
    }
    assert!(text.contains("default-src 'none'"));
    let (_, program) = text.split_once("<script type=\"module\">").expect("a program");
    let (program, rest) = program.split_once("</script>").expect("its end");
    assert!(!rest.contains("<script"));
    let ballot = crate::signatures::ballot();
    for (name, bytes) in
        [("program.mjs", program.as_bytes()), ("signature", &ballot.signature), ("ring", &ballot.commitment)]
    {
        std::fs::write(page.folder.join(name), bytes).expect("a file");
    }
    let harness = format!(
        "{DOCUMENT}
         const column = {{ commitment: 'commitment', proof: 'proof' }}, sum = {{ commitment: 'weighted.commitment', proof: 'weighted.proof' }};
         for (const asked of [
           [column, '{BITS}'], [column, '{BITS}', ' row:7=0.08 \\n\\n'], [column, '{BITS}', 'sum'], [column, '{BITS}', 'rows'], [column], [column, ''], [column, '1.5'],
           [{{ ...sum, weights: 'weights', decimals: '1' }}, '{BITS}'], [{{ ...sum, weights: 'weights' }}, '{BITS}'], [{{ ...column, decimals: '' }}, '{BITS}'],
           [sum, '{BITS}'], [{{ commitment: 'proof', proof: 'commitment' }}, '{BITS}'], [{{}}, '{BITS}'],
           [{{ commitment: 'ring', proof: 'signature' }}, '0'], [{{ ...column, meanwhile: true }}, '{BITS}'],
         ]) console.log(JSON.stringify(await ask(...asked)));"
    );
    std::fs::write(page.folder.join("harness.mjs"), harness).expect("a program");
    let mut node = Command::new("node");
    node.current_dir(&page.folder).arg("harness.mjs").arg(&html).arg("program.mjs");
    let output = node.output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let lines: Vec<String> = said.lines().map(|line| serde_json::from_str(line).expect("a text")).collect();
    let claim = "Valid | row 7 of \"a column of numbers\" is 0.08";
    let expected = [
        (claim, "check that they are those that you need"),
        (claim, "It makes the claims that you need. | proven bits | 9"),
        ("Invalid: the proof says nothing of the sum", ""),
        ("Not judged: `rows` names no claim", ""),
        ("Invalid: the parameters are refused", "required 128"),
        ("Not judged: no number of bits", ""),
        ("Not judged: no number of bits", ""),
        ("Valid | the sum of all 1,000 rows", "weighted by the given weights"),
        ("Invalid: invalid proof: the number of decimals of its weights is 1", "of the given ones 0"),
        ("Not judged: no number of decimals", ""),
        ("Invalid: invalid proof: the weights of a weighted sum are missing", ""),
        ("Not judged: this file is a commitment, and no proof", ""),
        ("Not judged: ", ""),
        (
            "Valid | a member of the ring signed the message \"yes\" in the context \"vote 7\"",
            "proven bits | none",
        ),
        ("", ""),
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:?}");
    for (line, (start, part)) in lines.iter().zip(expected) {
        assert!(line.starts_with(start) && line.contains(part), "{line}, not {start} and {part}");
    }
    assert_eq!(lines[14], "", "a verdict on files that are chosen no more");
}
