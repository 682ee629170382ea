import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Type, { type Static } from "typebox";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { ModelView } from "../../../app/bridge/model-view.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { guardOf } from "../../../app/contract/checked.ts";
import { REASONS } from "../../../app/contract/codes.ts";
import {
  isUsableBaseUrl,
  MODEL_PROVIDERS,
  type ModelNotice,
  type ModelOrder,
  ModelReport,
  type ModelWords,
  NOT_ADDED_EXIT,
} from "../../../app/contract/connected-model.ts";
import { jsonOf } from "../../../app/contract/json.ts";
import type { Translate } from "../../../i18n/index.ts";
import { makeOwnFolder } from "../../../runtime/files/own-file.ts";
import type { SecretSealing } from "../../keys/index.ts";
import type { KeptValues } from "../../storage/index.ts";
import { ShippedProgram, type StartProgram } from "./shipped-program.ts";

const Kept = Type.Object({
  provider: Type.Enum([...MODEL_PROVIDERS]),
  model: Type.String(),
  base_url: Type.Union([Type.String(), Type.Null()]),
  /** Sealed; null: none is needed. */
  key: Type.Union([Type.String(), Type.Null()]),
});
type Kept = Static<typeof Kept>;
const isKept = guardOf(Kept);
const isReport = guardOf(ModelReport);

/** What was heard of the agent since it was started. */
type ModelStatus = Pick<ModelView, "fault" | "code" | "conversation_id">;
const NOTHING_HEARD: ModelStatus = { fault: null, code: null, conversation_id: null };

/** The name of the stored value. */
const KEPT = "model";

export interface ConnectedModelPorts {
  readonly values: KeptValues;
  readonly secrets: SecretSealing;
  readonly dataDir: string;
  readonly hubUrl: () => string;
  /** The person's id there. */
  readonly userId: string;
  readonly script: URL;
  readonly start: StartProgram;
  readonly texts: () => Translate;
  readonly changed: () => void;
}

/**
 * The model that the person has connected: what they chose, its key, and the agent that speaks for it.
 * The key leaves this process only over the agent's own line.
 */
export class ConnectedModel {
  readonly #ports: ConnectedModelPorts;
  readonly #agent: ShippedProgram;
  #status: ModelStatus = NOTHING_HEARD;

  constructor(ports: ConnectedModelPorts) {
    this.#ports = ports;
    this.#agent = new ShippedProgram({
      ...ports,
      failed: (code) =>
        this.#stands(
          code === NOT_ADDED_EXIT ? { ...NOTHING_HEARD, fault: "not_added" } : { fault: "ended" },
        ),
      said: (message) => {
        if (isReport(message)) this.#stands(heardIn(message));
      },
    });
  }

  get view(): ModelView | null {
    const kept = this.#kept;
    if (kept === null) return null;
    const { key, ...choice } = kept;
    return {
      ...choice,
      has_key: key !== null,
      state: this.#agent.isRunning ? "running" : "stopped",
      ...this.#status,
    };
  }

  /** @throws BridgeError `key_needed`, `base_url_unusable`; StoreError */
  async connect({ provider, model, base_url, api_key }: CallArgs<"model.connect">): Promise<void> {
    const { values, secrets } = this.#ports;
    const before = this.#kept;
    const place = { provider, base_url: base_url ?? null };
    // A key never goes to another place than the one it was typed for.
    const isSamePlace = before?.provider === provider && before.base_url === place.base_url;
    const held = isSamePlace ? before.key : null;
    const hasKey = api_key !== undefined || held !== null;
    if (!hasKey && (provider === "anthropic" || provider === "openai")) {
      throw bridgeError("key_needed");
    }
    const isNamed = base_url !== undefined && isUsableBaseUrl(base_url, hasKey);
    if (isNamed !== (provider === "openai_compatible")) throw bridgeError("base_url_unusable");
    const key = api_key === undefined ? held : await secrets.seal(api_key);
    await values.putValue(KEPT, JSON.stringify({ ...place, model, key } satisfies Kept));
    await this.#agent.stop();
    await this.start();
  }

  /** @throws BridgeError `not_found`, `already_running` */
  async start(): Promise<void> {
    const { secrets, dataDir } = this.#ports;
    const kept = this.#kept;
    if (kept === null) throw bridgeError("not_found");
    const apiKey = kept.key === null ? null : await secrets.open(kept.key);
    // Removed meanwhile, or changed, which starts it again.
    if (!isDeepStrictEqual(this.#kept, kept)) return;
    this.#status = NOTHING_HEARD;
    if (kept.key !== null && apiKey === null) return this.#stands({ fault: "key_unreadable" });
    // Who was added for a demonstration is never a real model, and the other way round.
    const isShow = kept.provider === "demonstration";
    const folder = join(dataDir, "programs", isShow ? "demonstration" : "model");
    makeOwnFolder(folder);
    this.#agent.start([], this.#order(kept, apiKey, folder));
  }

  stop(): Promise<void> {
    return this.#agent.stop();
  }

  async remove(): Promise<void> {
    await this.#ports.values.removeValue(KEPT);
    await this.#agent.stop();
    this.#ports.changed();
  }

  /** The person has deleted what was said there: the model is not to read it again either. */
  forget(conversationId: string): void {
    this.#tell({ event: "history_deleted", conversation_id: conversationId });
  }

  /** The person has chosen another language. */
  languageChanged(): void {
    this.#tell({ event: "words", words: modelWords(this.#ports.texts()) });
  }

  #tell(notice: ModelNotice): void {
    this.#agent.tell(notice);
  }

  get #kept(): Kept | null {
    const value = jsonOf(this.#ports.values.value(KEPT));
    return isKept(value) ? value : null;
  }

  #order({ provider, model, base_url }: Kept, apiKey: string | null, folder: string): ModelOrder {
    const t = this.#ports.texts();
    const isShow = provider === "demonstration";
    return {
      hubUrl: this.#ports.hubUrl(),
      userId: this.#ports.userId,
      folder,
      name: isShow ? t("model.provider_names.demonstration") : t("model.agent_name"),
      provider,
      baseUrl: base_url,
      model,
      apiKey,
      words: modelWords(t),
    };
  }

  #stands(change: Partial<ModelStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#ports.changed();
  }
}

function heardIn(report: ModelReport): Partial<ModelStatus> {
  switch (report.event) {
    case "code":
      return { code: report.code };
    case "connected":
      return { conversation_id: report.conversation_id, code: null };
    case "answered":
      return { fault: null };
    case "fault":
      return { fault: report.fault };
    default:
      return assertNever(report);
  }
}

/** What the model's agent says in the person's language. */
export const modelWords = (t: Translate): ModelWords => ({
  faults: {
    key_refused: t("model.fault.key_refused"),
    key_unreadable: t("model.fault.key_unreadable"),
    model_unknown: t("model.fault.model_unknown"),
    quota: t("model.fault.quota"),
    unreachable: t("model.fault.unreachable"),
    provider_failed: t("model.fault.provider_failed"),
    not_added: t("model.fault.not_added"),
    ended: t("model.fault.ended"),
  },
  phrases: {
    too_many_steps: t("model.phrase.too_many_steps"),
    too_long: t("model.phrase.too_long"),
    broken_off: t("model.phrase.broken_off"),
    restarted: t("model.phrase.restarted"),
    demo_hello: t("model.phrase.demo_hello"),
    demo_fetched: t("model.phrase.demo_fetched"),
    demo_located: t("model.phrase.demo_located"),
    demo_denied: t("model.phrase.demo_denied"),
    demo_no_answer: t("model.phrase.demo_no_answer"),
    demo_failed: t("model.phrase.demo_failed"),
  },
  failures: Object.fromEntries(
    REASONS.map((word) => [
      word,
      t("app.labelled", { label: t("model.phrase.demo_failed"), text: t(`reason.${word}`) }),
    ]),
  ),
});
