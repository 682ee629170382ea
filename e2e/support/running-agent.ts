import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ENTRY = fileURLToPath(new URL("./agent-entry.mjs", import.meta.url));

/** How long a call may take where nothing else is said: a restart of a slow machine's program. */
const PATIENCE_MS = 120_000;

export interface Credentials {
  readonly agentId: string;
  readonly token: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly grantedScopes: readonly string[];
}

export interface Safety {
  readonly digits: string;
  readonly words: string;
}

export interface HeardVoice {
  readonly mime: string;
  readonly duration_s: number;
  /** Base64. */
  readonly data: string;
}

/** What a call came back with: its result, or the words of its refusal. */
export type CallOutcome =
  | { readonly result: unknown }
  | {
      readonly error: { readonly name?: string; readonly code?: string; readonly reason?: string };
    };

interface Line {
  readonly id: number;
  readonly code?: string;
  readonly result?: unknown;
  readonly error?: { readonly name?: string; readonly code?: string; readonly reason?: string };
}

/** An agent in a process of its own, on the built SDK. */
export class RunningAgent {
  readonly #process: ChildProcess;
  readonly #gone: Promise<unknown>;
  readonly #hub: string;
  readonly #waiting = new Map<
    number,
    { settle: (line: Line) => void; onCode?: (code: string) => void }
  >();
  #orders = 0;
  readonly #said = new Set<string>();

  /** @param home its home folder, where it keeps its keys */
  constructor(hub: string, home: string) {
    this.#hub = hub;
    this.#process = spawn(process.execPath, [ENTRY], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, HOME: home, USERPROFILE: home },
    });
    this.#gone = new Promise((resolve) => this.#process.once("close", resolve));
    if (this.#process.stdout === null) throw new Error("the agent has no output");
    createInterface(this.#process.stdout).on("line", (text) => this.#hear(JSON.parse(text)));
  }

  /** Every text of its messages and in its calls' arguments, and what it was told by the person. */
  get said(): readonly string[] {
    return [...this.#said];
  }

  /** Asks a person to be connected; `code` resolves with what both sides show. */
  pair(
    name: string,
    manifest: object,
    userId?: string,
  ): { code: Promise<string>; done: Promise<Credentials> } {
    let onCode: (code: string) => void = () => {};
    const code = new Promise<string>((resolve) => {
      onCode = resolve;
    });
    const done = this.#order("pair", { name, manifest, userId, baseUrl: this.#hub }, onCode).then(
      (line) => {
        if (line.error !== undefined) throw Object.assign(new Error("not paired"), line.error);
        return line.result as Credentials;
      },
    );
    done.catch(() => {});
    return { code, done };
  }

  init(credentials: Credentials, manifest: object, options: object = {}): Promise<void> {
    return this.#done("init", { ...credentials, manifest, baseUrl: this.#hub, options });
  }

  async call(
    tool: string,
    args: object,
    options: object = { timeoutMs: PATIENCE_MS },
    conversation?: string,
  ): Promise<CallOutcome> {
    for (const text of textsIn(args)) this.#said.add(text);
    const { result, error } = await this.#order("call", { tool, args, options, conversation });
    return error === undefined ? { result } : { error };
  }

  async send(text: string, conversation?: string): Promise<void> {
    this.#said.add(text);
    await this.#order("send", { text, conversation });
  }

  /** Writes pieces of a message; with `text` it ends as a message of that. */
  async stream(pieces: readonly string[], text?: string): Promise<void> {
    for (const said of text === undefined ? pieces : [...pieces, text]) this.#said.add(said);
    await this.#order("stream", { pieces, text });
  }

  /** The next message of the person's. */
  async hear(): Promise<unknown> {
    const { result } = await this.#order("hear", {});
    for (const text of textsIn(result)) this.#said.add(text);
    return result;
  }

  /** Sends an artifact of blocks, as its SDK builds them. */
  async blocks(parts: object): Promise<void> {
    for (const text of textsIn(parts)) this.#said.add(text);
    await this.#done("blocks", { parts });
  }

  /** Sends an artifact as it is. */
  raw = (artifact: object): Promise<void> => this.#done("raw", { artifact });

  /** The next voice message of the person's. */
  async heardVoice(): Promise<HeardVoice> {
    const { result } = await this.#order("heardVoice", {});
    const voice = result as HeardVoice;
    this.#said.add(sampleOf(voice));
    return voice;
  }

  /** Sends a voice message; the code of its refusal, or null. */
  async speak(voice: Omit<HeardVoice, "mime"> & { transcript?: string }): Promise<string | null> {
    this.#said.add(sampleOf(voice));
    if (voice.transcript !== undefined) this.#said.add(voice.transcript);
    const { error } = await this.#order("speak", { voice });
    return error?.code ?? null;
  }

  /** Its conversation with a person who has added it. */
  async conversationWith(userId: string): Promise<string> {
    const { result } = await this.#order("conversations", {});
    const all = result as readonly { conversation_id: string; owner_id: string; type: string }[];
    const own = all.find(({ owner_id, type }) => type === "h2a" && owner_id === userId);
    return own?.conversation_id ?? "";
  }

  /** Makes a group of itself and the people who have added it. @returns its conversation */
  async group(title: string): Promise<string> {
    const { result } = await this.#order("group", { title });
    return (result as { readonly conversation_id: string }).conversation_id;
  }

  /** Replaces its manifest. */
  manifest = (manifest: object): Promise<void> => this.#done("manifest", { manifest });

  update = (update: object): Promise<void> => this.#done("update", { update });

  /** The next answer of the person's to an artifact. */
  async answered(): Promise<unknown> {
    const { result } = await this.#order("answered", {});
    return result;
  }

  /** Sends a raw artifact and resolves with the response to its call id. */
  async artifact(artifact: object, call_id: string, conversation?: string): Promise<unknown> {
    const { result, error } = await this.#order("artifact", { artifact, call_id, conversation });
    if (error !== undefined) throw Object.assign(new Error("not sent"), error);
    return result;
  }

  /** What it would have the person compare. */
  async safety(): Promise<Safety> {
    const { result, error } = await this.#order("safety", {});
    if (error !== undefined) throw Object.assign(new Error("no safety number"), error);
    return result as Safety;
  }

  /** Vanishes like a process that was killed. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#gone;
  }

  async #done(order: string, fields: object): Promise<void> {
    const { error } = await this.#order(order, fields);
    if (error !== undefined) throw Object.assign(new Error("not done"), error);
  }

  #order(order: string, fields: object, onCode?: (code: string) => void): Promise<Line> {
    this.#orders += 1;
    const id = this.#orders;
    this.#process.stdin?.write(`${JSON.stringify({ id, order, ...fields })}\n`);
    return new Promise((settle) => {
      this.#waiting.set(id, { settle, ...(onCode === undefined ? {} : { onCode }) });
    });
  }

  #hear(line: Line): void {
    const waiting = this.#waiting.get(line.id);
    if (line.code !== undefined) {
      waiting?.onCode?.(line.code);
      return;
    }
    this.#waiting.delete(line.id);
    waiting?.settle(line);
  }
}

/** Characters of a recording as it is sent, behind what all recordings begin with. */
const sampleOf = ({ data }: Pick<HeardVoice, "data">): string => data.slice(-200, -100);

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
