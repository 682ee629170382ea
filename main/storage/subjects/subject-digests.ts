import { callSubjects, searchedSubject } from "../../../app/audit/call-subjects.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { textHmac } from "../seal-key.ts";

/** Bytes of each digest that are kept: the first half of HMAC-SHA256. */
export const SUBJECT_BYTES = 16;

/** Turns subjects into what the log keeps of them (docs/audit-log.md, "Subjects"). */
export class SubjectDigests {
  readonly #hmac: (text: string) => Buffer;

  /** @param key 32 bytes, the same at every start */
  constructor(key: Uint8Array) {
    this.#hmac = textHmac(key);
  }

  /** The digests of everything that the arguments name, one after the other. */
  ofCall(args: JsonObject): Uint8Array {
    return Buffer.concat(callSubjects(args).map((subject) => this.#of(subject)));
  }

  /** Lowercase hex; null: what was typed can be no subject. */
  ofTyped(typed: string): string | null {
    const subject = searchedSubject(typed);
    return subject === null ? null : this.#of(subject).toString("hex");
  }

  #of(subject: string): Buffer {
    return this.#hmac(subject).subarray(0, SUBJECT_BYTES);
  }
}
