// Verifies a proof file with the module: node crates/wasm/verify.mjs MODULE PROOF COMMITMENT [MIN_BITS [WEIGHTS [DECIMALS]]] [--expect CLAIM]...
// In a browser, `import { verify }` from this file; the module comes from fetch and WebAssembly.instantiateStreaming.

/** The theorems of a policy as the module numbers them. */
const THEOREMS = { bciks20: 1, bchks25: 2, "bchks25-4.6": 4, dkt26: 8 };

/**
 * The verdict and the report: status 0 valid, 1 invalid, 2 the bytes are no proof file or no commitment file.
 * A ring signature is verified with its ring's commitment, and a policy of 0 bits: it has none that are proven.
 * `instance` is a WebAssembly.Instance of the module, `proof`, `commitment` and `weights` are each a Uint8Array. `policy` is the least number of proven bits, or
 * `{ minBits, interactiveBits, theorems, uniqueDecoding, expect, weightsDecimals }`, as options of `tenfold verify`; what is left out is 128, 0, bchks25 and dkt26, false, no claims, 0.
 * `weightsDecimals` is how many digits of each weight are decimals: a proof by weights with another number of them is refused.
 * Throws on other arguments, before the module sees any, and where it has no room for them. A trap (WebAssembly.RuntimeError) is a refusal, and ends the instance.
 */
export function verify(instance, proof, commitment, weights = new Uint8Array(), policy = {}) {
  const { words, claims } = policyOf(policy);
  const parts = Object.entries({ proof, commitment, weights }).map(([name, part]) => bytesOf(name, part)).concat(claims);
  const lengths = parts.map((part) => part.length);
  const length = lengths.reduce((a, b) => a + b);
  const m = instance.exports;
  // The module takes lengths modulo 2^32, too: what is longer would be written beyond the room for it.
  let at = length < 2 ** 32 ? m.tenfold_input(length) >>> 0 : 0;
  if (at === 0) throw new RangeError(`no room for the input: ${length} bytes`);
  for (const part of parts) {
    new Uint8Array(m.memory.buffer, at, part.length).set(part);
    at += part.length;
  }
  const status = m.tenfold_verify(...lengths, ...words);
  const text = new Uint8Array(m.memory.buffer, m.tenfold_output() >>> 0, m.tenfold_output_length());
  return { status, report: JSON.parse(new TextDecoder().decode(text)) };
}

/** A policy as the module takes it. What it would take for another policy is refused: numbers count modulo 2^32 there, and a name that is not known asks for nothing. */
function policyOf(policy) {
  const named = Object.prototype.toString.call(policy) === "[object Object]";
  const { minBits = 128, interactiveBits = 0, theorems, uniqueDecoding = false, expect = [], weightsDecimals = 0, ...others } = named ? policy : { minBits: policy };
  const [other] = Object.keys(others);
  if (other !== undefined) throw new TypeError(`a policy has no ${other}, but minBits, interactiveBits, theorems, uniqueDecoding, expect and weightsDecimals`);
  for (const bits of [minBits, interactiveBits]) {
    if (!Number.isInteger(bits) || bits < 0 || bits >= 2 ** 32) {
      throw new RangeError(`no number of bits: an integer from 0 to 2^32 - 1 is expected, not ${String(bits)} (${typeof bits})`);
    }
  }
  if (!Number.isInteger(weightsDecimals) || weightsDecimals < 0 || weightsDecimals >= 2 ** 32) throw new RangeError(`no number of decimals: ${String(weightsDecimals)}`);
  const known = Object.keys(THEOREMS).join(", ");
  if (theorems !== undefined && !(Array.isArray(theorems) && theorems.length > 0)) throw new TypeError(`theorems are to be an array of one or more of ${known}`);
  let set = 0;
  for (const name of theorems ?? []) {
    if (!Object.hasOwn(THEOREMS, name)) throw new RangeError(`no theorem ${String(name)}: ${known} are known`);
    set |= THEOREMS[name];
  }
  if (typeof uniqueDecoding !== "boolean") throw new TypeError(`uniqueDecoding is to be true or false, not ${String(uniqueDecoding)}`);
  if (!Array.isArray(expect)) throw new TypeError("expect is to be an array of claims such as sum=294348");
  for (const claim of expect) {
    // One claim a line: an empty one alone would ask for nothing, and a line more for another claim.
    if (typeof claim !== "string" || claim === "" || claim.includes("\n")) throw new TypeError(`no claim: ${String(claim)}; write sum, sum=294348, row:7=30.25 or entry:7=255`);
  }
  return { words: [minBits, interactiveBits, set, uniqueDecoding ? 1 : 0, weightsDecimals], claims: new TextEncoder().encode(expect.join("\n")) };
}

/** The bytes of an argument. Others have no length, or one that is not that of what `set` writes: they would go anywhere in the module's memory. */
function bytesOf(name, part) {
  const type = Object.prototype.toString.call(part).slice(8, -1);
  if (!ArrayBuffer.isView(part) || type !== "Uint8Array") {
    const hint = type === "ArrayBuffer" ? ": wrap it, new Uint8Array(buffer)" : "";
    throw new TypeError(`the ${name} is to be a Uint8Array, not ${type}${hint}`);
  }
  return part;
}

/** The number of an argument; none of an empty one. */
const numberOf = (text) => (text.trim() ? Number(text) : NaN);

/** The arguments without options, and the claims that are to be made: `--expect CLAIM`, as often as there are. */
function optionsOf(args) {
  const expect = [];
  const others = [...args];
  for (let at; (at = others.indexOf("--expect")) >= 0; ) {
    const [, claim] = others.splice(at, 2);
    if (claim === undefined) return [[], expect];
    expect.push(claim);
  }
  return [others, expect];
}

/** The command. Exit codes are those of `tenfold verify` for proofs: 0 valid, 1 invalid, 2 usage or no such files, 4 a file cannot be read. A ring signature takes 0 for the bits. */
async function main(readFileSync, args) {
  const [[module, proof, commitment, bits = "128", weights, decimals = "0", ...more], expect] = optionsOf(args);
  const exit = (code, text) => {
    console.error(text);
    process.exitCode = code;
  };
  if (!commitment || more.length > 0) return exit(2, "usage: node verify.mjs MODULE PROOF COMMITMENT [MIN_BITS [WEIGHTS [DECIMALS]]] [--expect CLAIM]...");
  let files;
  try {
    files = [module, proof, commitment, weights].map((path) => (path === undefined ? undefined : readFileSync(path)));
  } catch (error) {
    return exit(4, `cannot read a file: ${error.message}`);
  }
  let verdict;
  const started = performance.now();
  try {
    const { instance } = await WebAssembly.instantiate(files[0]);
    verdict = verify(instance, files[1], files[2], files[3], { minBits: numberOf(bits), expect, weightsDecimals: numberOf(decimals) });
  } catch (error) {
    // A trap is a refusal; all else is no verdict.
    return exit(error instanceof WebAssembly.RuntimeError ? 1 : 2, `no verdict: ${error.message}`);
  }
  console.error(`status ${verdict.status} in ${(performance.now() - started).toFixed(1)} ms`);
  console.log(JSON.stringify(verdict.report, null, 1));
  process.exitCode = verdict.status;
}

// Where another program or a page imports this file, nothing runs.
if (globalThis.process?.versions?.node && process.argv[1]) {
  const [{ readFileSync, realpathSync }, { pathToFileURL }] = await Promise.all([import("node:fs"), import("node:url")]);
  let called;
  try {
    called = pathToFileURL(realpathSync(process.argv[1])).href;
  } catch {
    // No file was called.
  }
  if (called === import.meta.url) await main(readFileSync, process.argv.slice(2));
}
