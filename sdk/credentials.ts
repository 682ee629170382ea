import Type from "typebox";
import { guardOf } from "../app/contract/checked.ts";
import { isVisibleName } from "../app/contract/visible-name.ts";
import { AgentName } from "../app/protocol/v1/fields.ts";
import { AgentCredentialsFile } from "../runtime/files/agent-files.ts";
import { AgentError } from "./errors.ts";
import type { PairOptions } from "./options.ts";

export interface AgentCredentials {
  readonly agentId: string;
  /** `hsk_…`: a secret. Whoever holds it is the agent. */
  readonly token: string;
  readonly userId: string;
  readonly conversationId: string;
  readonly grantedScopes: readonly string[];
}

/** Credentials as they were stored; `HasheeAgent.init` takes them as they are. */
export interface StoredCredentials extends AgentCredentials {
  readonly baseUrl: string;
  readonly connectionMode: "websocket" | "webhook";
}

const isStored = guardOf(
  Type.Object({
    agentId: Type.String({ minLength: 1 }),
    token: Type.String({ minLength: 1 }),
    userId: Type.String(),
    conversationId: Type.String({ minLength: 1 }),
    grantedScopes: Type.Array(Type.String()),
    baseUrl: Type.String({ minLength: 1 }),
    connectionMode: Type.Union([Type.Literal("websocket"), Type.Literal("webhook")]),
  }),
);

/**
 * The credentials that `HasheeAgent.pair` stored for the agent of this name.
 * @throws AgentError `name_invalid`; `credentials_missing`, `credentials_unreadable`, each with its `path`
 */
export async function loadCredentials(name: string): Promise<StoredCredentials> {
  if (!isAgentName(name)) throw new AgentError("name_invalid", { value: String(name) });
  return readCredentials(new AgentCredentialsFile(name));
}

/** @throws AgentError `credentials_missing`, `credentials_unreadable` */
export function readCredentials(file: AgentCredentialsFile): StoredCredentials {
  const unreadable = new AgentError("credentials_unreadable", { path: file.path });
  const text = attempt(unreadable, () => file.read());
  if (text === null) throw new AgentError("credentials_missing", { path: file.path });
  const stored: unknown = attempt(unreadable, () => JSON.parse(text));
  if (!isStored(stored)) throw unreadable;
  return stored;
}

/** Where `pair` stores the credentials. Neither step replaces any, unless that was asked for. */
export class CredentialsStore {
  readonly #file: AgentCredentialsFile;
  readonly #replaces: boolean;

  constructor(file: AgentCredentialsFile, replaces: boolean) {
    this.#file = file;
    this.#replaces = replaces;
  }

  /** Null if the program keeps the credentials itself. */
  static for({ name, keyStore, storeCredentials }: PairOptions): CredentialsStore | null {
    const stores = storeCredentials ?? keyStore === undefined;
    if (stores === false) return null;
    return new CredentialsStore(new AgentCredentialsFile(name), stores === "replace");
  }

  /**
   * Before the person is asked: a token comes only once, and must then have a place.
   * @throws AgentError `credentials_exist`, `credentials_unwritable`
   */
  prepare(): void {
    if (!this.#replaces && this.#file.exists) throw this.#error("credentials_exist");
    attempt(this.#error("credentials_unwritable"), () => this.#file.prepare());
  }

  /** @throws AgentError `credentials_exist`, `credentials_unwritable` */
  store(credentials: StoredCredentials): void {
    const taken = !this.#replaces && this.#file.exists;
    const error = this.#error(taken ? "credentials_exist" : "credentials_unwritable");
    const text = `${JSON.stringify(credentials, null, 2)}\n`;
    attempt(error, () => this.#file.write(text, this.#replaces));
  }

  #error(code: "credentials_exist" | "credentials_unwritable"): AgentError {
    return new AgentError(code, { path: this.#file.path });
  }
}

function attempt<T>(error: AgentError, use: () => T): T {
  try {
    return use();
  } catch {
    throw error;
  }
}

const isName = guardOf(AgentName);

/** Whether the hub accepts this as an agent's name. */
export const isAgentName = (name: unknown): name is string =>
  isName(name) && name.isWellFormed() && isVisibleName(name);
