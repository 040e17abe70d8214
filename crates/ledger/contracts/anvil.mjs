// Runs the contract for replicas on anvil. Arguments: the programs anvil and `contract` (an example of the crate), the slots of a batch.
import { execFileSync, spawn } from "node:child_process";
import assert from "node:assert/strict";
import { createServer } from "node:net";

const [anvil, contract, slots] = process.argv.slice(2);
const CHAIN = 31337;
// That of the first contract of anvil's first account.
const ADDRESS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const GAS = "0xe4e1c0"; // 15,000,000

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const arguments_ = [slots, String(CHAIN), ADDRESS];
const data = JSON.parse(execFileSync(contract, arguments_, { encoding: "utf8", maxBuffer: 1 << 26 }));
const options = ["--port", String(port), "--host", "127.0.0.1", "--chain-id", String(CHAIN), "--silent"];
const node = spawn(anvil, [...options, "--hardfork", "prague"], { stdio: "ignore" });

let id = 0;
async function attempt(method, params = []) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: (id += 1), method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body });
  return response.json();
}
async function rpc(method, params) {
  const { result, error } = await attempt(method, params);
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
async function started() {
  for (let i = 0; i < 200; i += 1) {
    try {
      return await rpc("eth_chainId");
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("anvil does not answer");
}

async function run() {
  assert.equal(Number(await started()), CHAIN);
  const [from] = await rpc("eth_accounts");
  const send = async (transaction) => {
    const hash = await rpc("eth_sendTransaction", [{ from, gas: GAS, ...transaction }]);
    for (let i = 0; i < 600; i += 1) {
      const receipt = await rpc("eth_getTransactionReceipt", [hash]);
      if (receipt) return receipt;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("a transaction is not mined");
  };
  const submit = (input) => send({ to: ADDRESS, data: input });
  const view = (name) => rpc("eth_call", [{ to: ADDRESS, data: data.selectors[name] }, "latest"]);
  const state = async () => (await view("height")).slice(50) + (await view("head")).slice(2, 50);
  const show = (what, receipt) => console.log(`${what.padEnd(38)} status ${Number(receipt.status)}  gas ${Number(receipt.gasUsed)}`);
  const refused = async (what, input, error) => {
    const before = await state();
    const receipt = await submit(input);
    show(what, receipt);
    assert.equal(receipt.status, "0x0", what);
    assert.equal(receipt.logs.length, 0);
    assert.equal(await state(), before);
    const call = await attempt("eth_call", [{ from, to: ADDRESS, data: input }, "latest"]);
    assert.equal(call.error.data, data.selectors[error], what);
  };
  const accepted = async (what, input, next) => {
    const receipt = await submit(input);
    show(what, receipt);
    assert.equal(receipt.status, "0x1", what);
    assert.equal(receipt.logs.length, 1);
    assert.equal(await state(), next);
    const [log] = receipt.logs;
    assert.equal(log.topics[1].slice(50) + log.data.slice(2, 50), next, "the event has height and head");
    const transaction = await rpc("eth_getTransactionByHash", [receipt.transactionHash]);
    assert.equal(transaction.input, input, "replicas read the batch from the transaction");
  };

  const deployed = await send({ data: data.creation });
  show("deployed", deployed);
  assert.equal(deployed.status, "0x1");
  assert.equal(deployed.contractAddress.toLowerCase(), ADDRESS);
  assert.equal(await view("domain"), data.domain);
  assert.equal(await state(), data.heads.genesis);

  await refused("the second batch before the first", data.second, "InvalidProof");
  await refused("a changed batch", data.tampered, "InvalidProof");
  await refused("a public input above the order", data.unreduced, "NotReduced");
  await refused("a byte more", data.longer, "NotCanonical");
  await accepted("the first batch", data.first, data.heads.first);
  await refused("the first batch again", data.first, "InvalidProof");

  // The second batch is mined, and its block is replaced by an empty one: the head is that of before, and another batch takes its place.
  await accepted("the second batch", data.second, data.heads.second);
  await rpc("anvil_reorg", [1, []]);
  assert.equal(await state(), data.heads.first, "after the reorganisation");
  await accepted("another batch in its place", data.other, data.heads.other);
  await refused("the second batch, of another history", data.second, "InvalidProof");

  // The same chain under another number, as after a fork. The node's accounts sign for the first number alone: a call, and no transaction.
  await rpc("anvil_setChainId", [CHAIN + 1]);
  const call = await attempt("eth_call", [{ from, to: ADDRESS, data: data.third }, "latest"]);
  assert.equal(call.error?.data, data.selectors.WrongChain);
  console.log("under another chain id                 refused");
  await rpc("anvil_setChainId", [CHAIN]);
  await refused("proven for another chain id", data.foreign, "InvalidProof");
  await accepted("the third batch", data.third, data.heads.third);
}

try {
  await run();
  console.log("passed");
} finally {
  node.kill();
}
