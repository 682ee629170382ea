import { callSubjects, searchedSubject } from "../../../app/audit/call-subjects.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { hmac, hmacKey } from "../../../runtime/crypto/hmac-sha256.ts";
import { CompiledCache } from "../../schemas/compiled-cache.ts";

/** Bytes of each digest that are kept: the first half of HMAC-SHA256. */
export const SUBJECT_BYTES = 16;

/** Most calls name the same folders as calls before them: so many subjects and UTF-16 units are kept. */
const KEPT_COUNT = 1_000;
const KEPT_UNITS = 100_000;

/** Turns subjects into what the log keeps of them (docs/audit-log.md, "Subjects"). */
export class SubjectDigests {
  readonly #digest: (subject: string) => Buffer;
  readonly #kept = new CompiledCache<Buffer>(KEPT_COUNT, KEPT_UNITS);

  /** @param key 32 bytes, the same at every start */
  constructor(key: Uint8Array) {
    const prepared = hmacKey(key);
    this.#digest = (subject) =>
      hmac(prepared, Buffer.from(subject, "utf8")).subarray(0, SUBJECT_BYTES);
  }

  /** The digests of everything that the arguments name, one after the other; null: they name nothing. */
  ofCall(args: JsonObject): Uint8Array | null {
    const subjects = callSubjects(args);
    return subjects.length === 0 ? null : Buffer.concat(subjects.map((each) => this.#of(each)));
  }

  /** Lowercase hex; null: what was typed can be no subject. */
  ofTyped(typed: string): string | null {
    const subject = searchedSubject(typed);
    return subject === null ? null : this.#of(subject).toString("hex");
  }

  #of(subject: string): Buffer {
    return this.#kept.get(subject, this.#digest);
  }
}
