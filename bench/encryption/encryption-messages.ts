/** What end-to-end encryption costs: `node bench/encryption/encryption-messages.ts`. Both ends. */
import { tmpdir } from "node:os";
import { nodePrimitives as crypto } from "../../crypto/node-primitives.ts";
import { environmentOf } from "../environment.ts";
import { readFlags } from "../flags.ts";
import { interleave } from "../interleave.ts";
import { compare, reportOf } from "../report.ts";
import { comparisonLines, environmentLine, tableOf } from "../table.ts";
import { handshakeSubject, makeEnds, messageSubject, plainSubject } from "./encryption-subjects.ts";

const CONTENT_BYTES = 4_096;

const content = crypto.randomBytes(CONTENT_BYTES);
const ends = await makeEnds(crypto);
const plain = plainSubject(crypto, content);
const sealed = await messageSubject(crypto, "sealed", ends, content);
const ratchet = await messageSubject(crypto, "ratchet", ends, content);
const handshake = handshakeSubject(crypto, ends);

const flags = readFlags(process.argv.slice(2));
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const measured = await interleave([plain, sealed, ratchet, handshake], flags, say);
const comparisons = compare(measured, [
  [sealed.name, plain.name],
  [ratchet.name, plain.name],
]);

console.log(`${environmentLine(environmentOf(tmpdir()))}\n${CONTENT_BYTES} bytes of content.\n`);
console.log(tableOf(reportOf(measured, null)));
console.log(`\n${comparisonLines(comparisons)}`);
