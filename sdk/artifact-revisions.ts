import { SendError } from "./send-error.ts";

/** The newest revision of each artifact this process has sent: a later one must be higher. */
export class ArtifactRevisions {
  readonly #newest = new Map<string, number>();

  /** @throws SendError `revision_not_higher` */
  advance(conversationId: string, artifactId: string, revision: number): void {
    const key = JSON.stringify([conversationId, artifactId]);
    const before = this.#newest.get(key) ?? 0;
    if (!Number.isSafeInteger(revision) || revision <= before) {
      throw new SendError("revision_not_higher");
    }
    this.#newest.set(key, revision);
  }
}
