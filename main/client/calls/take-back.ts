import { randomUUID } from "node:crypto";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { TakeBackPlace, TakeBackView } from "../../../app/bridge/take-back-calls.ts";
import { platformError, type ToolFailureWord } from "../../../app/contract/codes.ts";
import { canonicalJson, digestOf } from "../../../app/contract/digest.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { type CallName, TAKE_BACK, type ToolCall } from "../../../app/contract/tool-call.ts";
import { type CallLedger, type TrustedClock, toolFailure } from "../../../app/execution/ports.ts";
import type { KeptChange, KeptChanges, Store } from "../../storage/index.ts";
import type { FileService } from "../../tools/files/file-tool.ts";
import { FileSnapshots } from "../../tools/files/keeping/file-snapshots.ts";
import {
  type BackStep,
  drawTakeBack,
  lookAtKept,
  takeBackStep,
} from "../../tools/files/keeping/kept-place.ts";
import { isTaken, type PlannedStep, placesOf, planTakeBack } from "./plan-take-back.ts";

interface TakeBackParts {
  readonly changes: KeptChanges;
  readonly files: Pick<FileService, "run" | "homeTrash">;
  readonly ledger: CallLedger;
  readonly clock: TrustedClock;
}

/** Which call, and whether with the later ones of its conversation. */
interface Which extends CallName {
  readonly later: boolean;
}

/** How many places are drawn with their difference. */
const DRAWN_MOST = 64;

const OK = { status: "ok", result: null } as const;

/** Whose jobs these are, among agents'. */
const PERSON = "person";

/** What the person takes back of what agents changed (contract §6). */
class TakeBack {
  readonly #parts: TakeBackParts;
  /** One after the other: each looks at what the one before has left. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: TakeBackParts) {
    this.#parts = parts;
  }

  /** Nothing can be taken back any more. */
  forget(): Promise<void> {
    return this.#parts.changes.clear();
  }

  async look(which: Which): Promise<TakeBackView | null> {
    const found = this.#parts.changes.of(which.agent_id, which.call_id);
    if (found === null) return null;
    const all = this.#openSince(found);
    const changes = which.later ? all : all.filter(({ kept_id }) => kept_id === found.kept_id);
    const marks = await this.#look(changes);
    const steps = planTakeBack(changes, marks, true);
    return {
      taken_back: found.taken_back,
      later: all.filter(({ kept_id }) => kept_id !== found.kept_id).length,
      places: await Promise.all(
        lastOfEach(steps).map((step, at) => this.#placeView(step, at < DRAWN_MOST)),
      ),
      seen: seenOf(changes, marks),
    };
  }

  /** @throws BridgeError `not_found`, `changed_since_shown` */
  take(which: Which & { readonly despite: boolean; readonly seen: string }): Promise<{
    readonly left: number;
  }> {
    const taken = this.#turn.then(() => this.#take(which));
    this.#turn = taken.catch(() => undefined);
    return taken;
  }

  async #take({ seen, despite, ...which }: Parameters<TakeBack["take"]>[0]) {
    const found = this.#parts.changes.of(which.agent_id, which.call_id);
    if (found === null || found.taken_back) throw bridgeError("not_found");
    const changes = which.later ? this.#openSince(found) : [found];
    const marks = await this.#look(changes);
    if (seenOf(changes, marks) !== seen) throw bridgeError("changed_since_shown");
    const steps = planTakeBack(changes, marks, despite);
    let left = 0;
    for (const change of changes) {
      left += await this.#takeOne(
        change,
        steps.filter((step) => step.change === change),
        despite,
      );
    }
    return { left };
  }

  /** One call, as an act of the person's in the log. Resolves to how many of its places stayed as they are. */
  async #takeOne(
    change: KeptChange,
    steps: readonly PlannedStep[],
    despite: boolean,
  ): Promise<number> {
    const { ledger, clock, changes } = this.#parts;
    const wanted = steps.filter((step) => isTaken(step, despite));
    let left = steps.filter(({ state }) => state !== "back").length - wanted.length;
    if (wanted.length > 0) {
      const call = actOf(change, wanted);
      const record = { ...aboutAct(change, call), timestamp: clock.now() };
      await ledger.recordIntent({ kind: "intent", ...record }, call.arguments);
      const failures = await this.#doAll(change, wanted, despite);
      left += failures.length;
      const [why] = failures;
      const outcome = why === undefined ? OK : platformError(why);
      const codes =
        outcome.status === "error"
          ? { reason: outcome.reason, error_code: outcome.error_code }
          : { reason: null, error_code: null };
      const now = clock.now();
      await ledger.recordOutcome(
        {
          ...{ kind: "outcome", ...record, status: outcome.status, ...codes },
          ...{ timestamp: now, duration_ms: Math.max(0, now - record.timestamp) },
        },
        { call, response: { call_id: call.call_id, ...outcome }, isOnlyDelivery: true },
        call.arguments,
      );
    }
    if (left === 0) await changes.update({ ...change, taken_back: true });
    return left;
  }

  /** Resolves to why steps failed. */
  async #doAll(
    change: KeptChange,
    steps: readonly PlannedStep[],
    despite: boolean,
  ): Promise<readonly ToolFailureWord[]> {
    const by = { agent_id: PERSON, signal: new AbortController().signal };
    const failures: ToolFailureWord[] = [];
    for (const step of steps) {
      try {
        await this.#parts.files.run(takeBackStep, this.#stepOf(change, step, despite), by);
      } catch (error) {
        failures.push(toolFailure.is(error) ? error.code : "internal_error");
      }
    }
    return failures;
  }

  #stepOf(change: KeptChange, step: PlannedStep, all: boolean): BackStep {
    const { effect, now, act, place } = step;
    const { rootPath, path, mode, moved_to } = effect;
    const at = { rootPath, path, now };
    if (act === "remove") {
      return { ...at, kind: "remove", homeTrash: this.#parts.files.homeTrash, all };
    }
    if (act === "move_back" && moved_to !== undefined) {
      return { ...moved_to, now, kind: "move_back", to: { rootPath, path } };
    }
    const bytes = this.#parts.changes.content(change.kept_id, place);
    if (bytes === null) throw toolFailure("not_found");
    return { ...at, kind: "restore", bytes, mode };
  }

  /** The call and those after it that are not taken back, the newest first. */
  #openSince(found: KeptChange): readonly KeptChange[] {
    return this.#parts.changes.since(found).filter(({ taken_back }) => !taken_back);
  }

  async #look(changes: readonly KeptChange[]): Promise<ReadonlyMap<string, string>> {
    const places = [...new Map(placesOf(changes).map((place) => [place.path, place])).values()];
    const looked = places.map((place) => ({ ...place, contents: false }));
    const by = { agent_id: PERSON, signal: new AbortController().signal };
    const states = await this.#parts.files.run(lookAtKept, { places: looked }, by);
    return new Map(places.map(({ path }, at) => [path, states[at]?.mark ?? ""]));
  }

  async #placeView(
    { effect, act, state, change, place, found }: PlannedStep,
    isDrawn: boolean,
  ): Promise<TakeBackPlace> {
    const { path, moved_to } = effect;
    const by = { agent_id: PERSON, signal: new AbortController().signal };
    const bytes = this.#parts.changes.content(change.kept_id, place);
    const canDraw = isDrawn && act !== "move_back" && isTaken({ state }, true);
    const preview = canDraw
      ? await this.#parts.files.run(drawTakeBack, { ...found, bytes }, by).catch(() => null)
      : null;
    return { path: moved_to?.path ?? path, to: moved_to ? path : null, act, state, preview };
  }
}

/** What files held before agents changed them, and how the person gets it back. */
export function openTakeBack(store: Store, key: Uint8Array, files: TakeBackParts["files"]) {
  const changes = store.keptChanges(key);
  const snapshots = new FileSnapshots({
    files,
    changes,
    isOn: () => store.settings.current().keep_files,
    now: () => store.clock.safeNow(),
  });
  const takeBack = new TakeBack({ files, changes, ledger: store.ledger, clock: store.clock });
  return { snapshots, takeBack };
}

/** Of several steps at one place the earliest call's, which says how it ends; changed if any is. */
function lastOfEach(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const last = new Map<string, PlannedStep>();
  for (const step of steps) {
    const key = `${step.act === "move_back"} ${step.effect.path}`;
    const isChanged = last.get(key)?.state === "changed" && step.state === "ready";
    last.set(key, isChanged ? { ...step, state: "changed" } : step);
  }
  return [...last.values()];
}

const seenOf = (changes: readonly KeptChange[], marks: ReadonlyMap<string, string>): string =>
  digestOf([changes.map(({ kept_id }) => kept_id), [...marks]]);

function actOf({ call_id, scope }: KeptChange, [first]: readonly PlannedStep[]): ToolCall {
  const args: JsonObject = { path: first?.effect.path ?? "", call_id };
  return {
    call_id: randomUUID(),
    tool_name: TAKE_BACK,
    permission_scope: scope,
    arguments: args,
    canonical_arguments: canonicalJson(args),
    arguments_digest: digestOf(args),
  };
}

const aboutAct = ({ agent_id, conversation_id }: KeptChange, call: ToolCall) => ({
  call_id: call.call_id,
  agent_id,
  tool_name: TAKE_BACK,
  scope: call.permission_scope,
  arguments_digest: call.arguments_digest,
  conversation_id,
  transport: PERSON,
  decided_by: "person" as const,
});
