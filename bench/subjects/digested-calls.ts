import { callSubjects } from "../../app/audit/call-subjects.ts";
import { SubjectDigests } from "../../main/storage/subjects/subject-digests.ts";
import { hmac, hmacKey } from "../../runtime/crypto/hmac-sha256.ts";
import { measure } from "../measure.ts";
import type { Subject } from "./subject.ts";

/** One takes a few microseconds. */
export const CALLS_AT_ONCE = 100;
const KEY = new Uint8Array(32).fill(1);

/** What the log's search costs calls that each name another file of the same folder. */
export function digestedCalls(name: string, kind: "kept" | "anew"): Subject {
  const key = hmacKey(KEY);
  const digests = new SubjectDigests(KEY);
  let file = 0;
  const digest = () => {
    file += 1;
    const args = { path: `/home/ada/project/src/part/file-${file}.ts` };
    return kind === "kept"
      ? digests.ofCall(args)
      : Buffer.concat(callSubjects(args).map((subject) => hmac(key, Buffer.from(subject, "utf8"))));
  };
  return {
    name,
    modes: [1],
    turn: (order) =>
      measure(async () => {
        for (let call = 0; call < CALLS_AT_ONCE; call += 1) digest();
      }, order),
    close: async () => {},
  };
}
