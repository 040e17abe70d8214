// Verifies a proof file with the module: node crates/wasm/verify.mjs MODULE PROOF COMMITMENT [MIN_BITS]
// In a browser, `verify` is the same; the module comes from fetch and WebAssembly.instantiateStreaming.
import { readFileSync } from "node:fs";

/** The verdict (0 valid, 1 invalid, 2 no such files) and the report. A trap is a refusal, and ends the instance. */
export function verify(instance, proof, commitment, weights = new Uint8Array(), minBits = 100) {
  // The module takes bits modulo 2^32, and what is no number for none.
  if (!Number.isInteger(minBits) || minBits < 0 || minBits >= 2 ** 32) throw new Error("no number of bits");
  const m = instance.exports;
  const parts = [proof, commitment, weights];
  const lengths = parts.map((part) => part.length);
  let at = m.tenfold_input(lengths.reduce((a, b) => a + b)) >>> 0;
  if (at === 0) throw new Error("no room for the input");
  for (const part of parts) {
    new Uint8Array(m.memory.buffer, at, part.length).set(part);
    at += part.length;
  }
  const status = m.tenfold_verify(...lengths, minBits);
  const text = new Uint8Array(m.memory.buffer, m.tenfold_output() >>> 0, m.tenfold_output_length());
  return { status, report: JSON.parse(new TextDecoder().decode(text)) };
}

const [module, proof, commitment, bits = "100"] = process.argv.slice(2);
if (commitment) {
  const { instance } = await WebAssembly.instantiate(readFileSync(module));
  const started = performance.now();
  const { status, report } = verify(instance, readFileSync(proof), readFileSync(commitment), undefined, bits.trim() ? Number(bits) : NaN);
  console.error(`status ${status} in ${(performance.now() - started).toFixed(1)} ms`);
  console.log(JSON.stringify(report, null, 1));
  process.exitCode = status;
}
