// Compiles the contracts with solc from the folder of node modules that is the first argument. With `--check` the committed output is compared,
// without it is written.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, mode] = process.argv.slice(2);
const solc = createRequire(join(resolve(modules), "x.js"))("solc");
const here = dirname(fileURLToPath(import.meta.url));
const { compiler, settings } = JSON.parse(readFileSync(join(here, "settings.json"), "utf8"));
if (!solc.version().startsWith(compiler)) {
  console.error(`this is solc ${solc.version()}, not ${compiler}`);
  process.exit(1);
}
const contracts = ["LedgerReplicas", "LedgerRoot"];
const files = ["Groth16Bn254.sol", "LedgerKey.sol", ...contracts.map((name) => `${name}.sol`)];
const sources = Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(here, file), "utf8") }]));
const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
for (const error of output.errors ?? []) console.error(error.formattedMessage);
if ((output.errors ?? []).length > 0) process.exit(1);

let differ = 0;
for (const name of contracts) {
  const { abi, evm } = output.contracts[`${name}.sol`][name];
  const parts = [
    [`${name}.abi.json`, JSON.stringify(abi, null, 1) + "\n"],
    [`${name}.bin`, evm.bytecode.object.replace(/.{1,160}/g, "$&\n")],
  ];
  for (const [file, text] of parts) {
    const path = join(here, "compiled", file);
    if (mode !== "--check") writeFileSync(path, text);
    else if (readFileSync(path, "utf8") !== text) {
      console.error(`compiled/${file} is not what solc ${solc.version()} makes of the sources`);
      differ += 1;
    }
  }
  console.log(`${name}: ${evm.bytecode.object.length / 2} bytes of creation code, solc ${solc.version()}`);
}
process.exit(differ === 0 ? 0 : 1);
