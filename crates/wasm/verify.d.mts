/** The types of `verify.mjs`. */

/** The name of a published bound on lines beyond unique decoding. */
export type Theorem = "bciks20" | "bchks25" | "bchks25-4.6" | "dkt26";

/** What is accepted: bits and theorems as `tenfold verify` takes them, and the regime. */
export interface Policy {
  /** Least number of proven bits, work included, an integer from 0 to 2^32 - 1; 128 if left out. */
  minBits?: number;
  /** Least number of proven bits without work; 0 if left out. */
  interactiveBits?: number;
  /** The theorems that must each prove the bits, one or more; bchks25 and dkt26 if left out. */
  theorems?: readonly Theorem[];
  /** Whether parameters beyond unique decoding are refused; false if left out. */
  uniqueDecoding?: boolean;
  /** Claims that the proof must make, as `tenfold verify --expect` takes them: `"sum"`, `"row:7=30.25"`. */
  expect?: readonly string[];
  /** How many digits of each weight are decimals, an integer from 0 on; 0 if left out, and for weights of bytes. A proof by weights with another number of them is refused. */
  weightsDecimals?: number;
}

/** Bytes in the order in which they stand, two hexadecimal digits each. */
export type Hex = string;

/** Bits by one set of theorems. `null` is what JSON cannot say: infinitely many. */
export interface Bits {
  proven_bits: number | null;
  interactive_bits: number | null;
}

/** One error term of the union bound. */
export interface Term {
  label: string;
  /** Bits without work. */
  bits: number | null;
  /** Bits of work before it. */
  grinding: number;
  total: number | null;
  formula: string;
  source: string;
}

/** The security report under the policy's theorems. */
export interface Security extends Bits {
  regime: { name: "unique-decoding" } | { name: "johnson"; multiplicity: number };
  theorems: string;
  field_bits: number;
  collision_bits: number | null;
  combined_bits: number | null;
  row_union_bits: number | null;
  round_by_round_bits: number | null;
  by_theorem: Partial<Record<Theorem, Bits>>;
  terms: Term[];
}

/** A claim in the terms of the data, as `tenfold verify --json` has it. */
export interface Reading {
  of: "row" | "entry" | "padding" | "sum" | "sum of rows" | "mean" | "weighted sum" | "weighted mean" | "inner product" | "sum of products" | "form";
  /** The row, entry or padding that it is about; `null` for all else. */
  row: number | null;
  /** The first row of a sum of rows, and the one behind its last. */
  rows?: [number, number];
  /** The two columns of a sum of products. */
  columns?: [string, string];
  /** The column that it is about; absent of bytes and of products. */
  column?: string;
  /** The coordinates of the point, lowest index bit first, of a multilinear extension. */
  point?: string[];
  /** Where the polynomial with the rows as coefficients is evaluated. */
  evaluated_at?: string;
  /** The exact value: a decimal number, a fraction, the integer of an entry's bits, or an element in hexadecimal digits. */
  value: string;
  /** The prime that the value is known modulo, of a mean its sum; absent if the value is exact. */
  modulus?: string;
}

/** What the proof states of one form: a value for each polynomial. */
export type Form = { values: Hex[] } & ({ entry: number } | { weights: Hex } | { factors: [Hex, Hex][] });

/** The committer's word on the data, which nothing proves. */
export interface Stated {
  name: string;
  /** The rows of a column, or the entries of a file: bits, bytes or words. */
  rows: number;
  /** The bytes of a file, or those that a column is packed from; `null` for numbers. */
  data_bytes: number | null;
}

/** What a valid proof says. */
export interface Valid {
  valid: true;
  scheme: "pip" | "deepfold" | "ligerito" | "air";
  field: string;
  challenge_field: string;
  proven_bits: number;
  hidden_openings: number;
  mask: number | null;
  /** That of the commitment file. */
  fingerprint: Hex;
  stated: Stated;
  description: Hex;
  context: Hex;
  /** A sentence each. */
  claims: string[];
  /** The claims for programs; a mean follows its sum. */
  readings: Reading[];
  /** The statement, form by form: a sum is one form for each of its blocks. */
  forms: Form[];
  /** What the verdict rests on beside the verifier's arithmetic, a sentence each. */
  assumptions: string[];
  security: Security;
}

/** What a valid ring signature says. It has no proven bits: the policy must ask for none, `{ minBits: 0 }`. */
export interface ValidSignature {
  valid: true;
  scheme: "ring";
  /** The name of the suite: "Bandersnatch-SHA512-ELL2-v1" for one. */
  suite: string;
  rows: number;
  setup_sha256: Hex;
  proven_bits: null;
  /** That of the ring's commitment file. */
  fingerprint: Hex;
  /** What the tag is for, and what was signed: to be compared with what is expected. */
  context: Hex;
  message: Hex;
  /** The same for all that a member signs in a context: 32 bytes, or 33 of "Bandersnatch-SW-SHA512-TAI-v1". */
  tag: Hex;
  /** The random value that the tag stands for. */
  vrf_output: Hex;
  /** What the commitment file says of the ring, which the signature does not prove. */
  stated: { members: number; slots: number };
}

/** Why a proof is refused. */
export interface Refused {
  valid: false;
  reason: string;
}

/** 0 valid, 1 invalid, 2 the bytes are no proof file or no commitment file. */
export type Verdict = { status: 0; report: Valid | ValidSignature } | { status: 1 | 2; report: Refused };

/**
 * Verifies a proof file about a commitment file, or a ring signature for the commitment of its ring, with the weights of a weighted sum in canonical bytes, end to end.
 * @param policy the least number of proven bits, or a {@link Policy}
 * @throws TypeError or RangeError on other arguments, before the module sees any; RangeError where it has no room for them.
 * @throws WebAssembly.RuntimeError, a trap: a refusal, after which the instance is not used again.
 */
export function verify(
  instance: WebAssembly.Instance,
  proof: Uint8Array,
  commitment: Uint8Array,
  weights?: Uint8Array,
  policy?: number | Policy,
): Verdict;
