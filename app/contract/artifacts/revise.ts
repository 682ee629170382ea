import { isJsonObject, type JsonObject, ownValue } from "../json.ts";
import { LIMITS } from "../limits.ts";
import { type ArtifactChange, type ArtifactState, blockList, fits, titleIn } from "./artifact.ts";
import { readBlocks } from "./block.ts";

/** `undefined`: this is no change. */
export function readChange(artifact: JsonObject): ArtifactChange | undefined {
  const revision = ownValue(artifact, "revision");
  if (!isRevision(revision)) return undefined;
  const updates = ownValue(artifact, "updates");
  const blocks = blockList(ownValue(artifact, "blocks"));
  const title = titleIn(artifact);
  if (updates === undefined) {
    return blocks === undefined || title === undefined ? undefined : { revision, blocks, title };
  }
  if (!isJsonObject(updates) || ownValue(artifact, "blocks") !== undefined) return undefined;
  const fields: [string, JsonObject][] = [];
  for (const [key, value] of Object.entries(updates)) {
    if (!isJsonObject(value) || fields.length === LIMITS.artifactBlocks) return undefined;
    fields.push([key, value]);
  }
  return { revision, updates: Object.fromEntries(fields) };
}

export const isRevision = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LIMITS.artifactRevisions;

/**
 * `applied`: nothing is missing. `older`: nothing has changed. `gap`: changes before it are missing,
 * and it waits for them. `unfit`: with it the artifact would break a limit, or a block could not be
 * drawn any more; nothing has changed.
 */
type RevisionOutcome = "applied" | "older" | "gap" | "unfit";

export interface Revised {
  readonly state: ArtifactState;
  readonly outcome: RevisionOutcome;
}

/** Applies a change in the order of revisions, in whatever order changes arrive. */
export function revise(state: ArtifactState, change: ArtifactChange): Revised {
  if (change.revision <= state.revision) return { state, outcome: "older" };
  const known = state.waiting.some(({ revision }) => revision === change.revision);
  const isWhole = "blocks" in change;
  const waiting = known && !isWhole ? state.waiting : inOrder(state.waiting, change);
  const next = isWhole
    ? settled({ ...state, ...changed(state, change), waiting: after(waiting, change.revision) })
    : settled({ ...state, waiting });
  const isKept =
    next.revision >= change.revision ||
    next.waiting.some(({ revision }) => revision === change.revision);
  if (!isKept || !fits(next)) return { state, outcome: "unfit" };
  return { state: next, outcome: next.waiting.length === 0 ? "applied" : "gap" };
}

const inOrder = (
  waiting: readonly ArtifactChange[],
  change: ArtifactChange,
): readonly ArtifactChange[] =>
  [...waiting.filter(({ revision }) => revision !== change.revision), change].sort(
    (one, other) => one.revision - other.revision,
  );

const after = (waiting: readonly ArtifactChange[], revision: number): readonly ArtifactChange[] =>
  waiting.filter((each) => each.revision > revision);

/** Applies what no longer waits for anything, except what is unfit: what follows that goes on waiting. */
function settled(state: ArtifactState): ArtifactState {
  const [first, ...waiting] = state.waiting;
  if (first === undefined || first.revision !== state.revision + 1) return state;
  const next = { ...state, ...changed(state, first), waiting };
  return settled(fits(next) && isStillDrawn(state, next) ? next : { ...state, waiting });
}

/**
 * Whether every block that is drawn now would still be. Only what changes is read, since files are long:
 * blocks with the same key change together.
 */
function isStillDrawn({ blocks }: ArtifactState, next: ArtifactState): boolean {
  const before = readBlocks(blocks.filter((block, at) => block !== next.blocks[at]));
  const after = readBlocks(next.blocks.filter((block, at) => block !== blocks[at]));
  return before.every(({ tag }, at) => tag === "unknown" || after[at]?.tag !== "unknown");
}

function changed(
  { blocks, title }: ArtifactState,
  change: ArtifactChange,
): Pick<ArtifactState, "revision" | "blocks" | "title"> {
  const { revision } = change;
  if ("blocks" in change) return { revision, blocks: change.blocks, title: change.title };
  return { revision, title, blocks: blocks.map((block) => withUpdate(block, change.updates)) };
}

/** What a block is, and its key, never change. */
function withUpdate(block: JsonObject, updates: Readonly<Record<string, JsonObject>>): JsonObject {
  const key = ownValue(block, "key");
  if (typeof key !== "string" || !Object.hasOwn(updates, key)) return block;
  const { tag: _, key: __, ...fields } = updates[key] ?? {};
  return { ...block, ...fields };
}
