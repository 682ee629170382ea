import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { interleave, type Measured } from "../interleave.ts";
import { compare, cpuOfCall, differenceOf, type Ratio, reportOf, withCpu } from "../report.ts";
import { median } from "../statistics.ts";
import { startConsentry } from "../subjects/consentry.ts";
import {
  gcmSubject,
  handshakeSubject,
  leastSubject,
  messageSubject,
  signatureSubject,
} from "../subjects/encryption.ts";
import { textFileIn } from "../subjects/file-to-read.ts";
import { type LeastKind, startLeast } from "../subjects/least.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

/** Size of a message's content, and of the file that a call reads. */
const CONTENT_BYTES = 4_096;

/** A message, the handshake, and the complete silent call with and without encryption. */
export async function encryptionSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, ending, say } = parts;
  const content = crypto.randomBytes(CONTENT_BYTES);
  const subjects = new Subjects(ending);
  const gcm = await subjects.add(Promise.resolve(gcmSubject(crypto, content)));
  const signature = await subjects.add(signatureSubject(crypto, content));
  const least = await subjects.add(leastSubject(crypto, content));
  const sealed = await subjects.add(messageSubject(crypto, "sealed", content));
  const ratchet = await subjects.add(messageSubject(crypto, "ratchet", content));
  await subjects.add(handshakeSubject(crypto));

  const file = textFileIn(mkdtempSync(join(folder, "files-")), CONTENT_BYTES);
  const call = (name: string, isPlain: boolean) =>
    startConsentry({
      name,
      modes: [1],
      dataDir: join(folder, name),
      file,
      profile: isPlain ? null : flags.profile,
      isPlain,
    });
  const encrypted = await subjects.add(call("silent call, encrypted", false));
  const plain = await subjects.add(call("silent call, plain", true));
  const around = (kind: LeastKind) => {
    const own = mkdtempSync(join(folder, `${kind}-`));
    return subjects.add(startLeast(`the least around it, ${kind}`, kind, [1], own, file));
  };
  const leastEncrypted = await around("encrypted");
  const leastPublicKey = await around("public-key");
  const leastPlain = await around("plain");

  const measured = await interleave(subjects.all, flags, say);
  return {
    about: `${flags.rounds} rounds of ${flags.calls} messages or calls with ${CONTENT_BYTES} bytes, after a warm-up`,
    rows: withCpu(reportOf(measured, null), measured),
    comparisons: compare(measured, [
      [sealed, gcm],
      [ratchet, gcm],
      [ratchet, signature],
      [encrypted, plain],
    ]),
    notes: [
      addedNote(measured, least, encrypted, plain),
      addedNote(measured, least, leastEncrypted, leastPlain),
      addedNote(measured, least, leastPublicKey, leastPlain),
    ],
  };
}

/** What protecting its messages adds, in milliseconds and in what `least` takes. */
function addedNote(
  measured: readonly Measured[],
  least: string,
  name: string,
  plain: string,
): string {
  const turnsOf = (name: string) =>
    measured.find(({ subject }) => subject.name === name)?.turns ?? [];
  const [own, other] = [turnsOf(name), turnsOf(plain)];
  const p50 = differenceOf(own, other);
  const cpu = differenceOf(own, other, cpuOfCall);
  const times = p50.median / median(turnsOf(least).flatMap(({ samples_ms }) => samples_ms));
  return `${name}, adds (min/med/max of the rounds): p50 ${milliseconds(p50)} ms, processors ${milliseconds(cpu)} ms. The median is ${times.toFixed(2)} × ${least}.`;
}

const milliseconds = ({ least, median, most }: Ratio): string =>
  [least, median, most].map((value) => value.toFixed(3)).join(" / ");
