import {
  type AgentDifferences,
  DIFFERENCE_TEXT_MAX,
  DIFFERENCES_SHOWN,
  type ManifestDifference,
  type MemberDifference,
} from "../../../app/bridge/manifest-views.ts";
import { canonicalJson } from "../../../app/contract/digest.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { Marked } from "./breaking-marks.ts";

type Reviewed = Pick<
  KnownAgent,
  "manifest" | "manifest_hash" | "reviewed_manifest" | "reviewed_hash"
>;

/**
 * The agent's manifest compared with the one the person has reviewed, what the hub called breaking first.
 * Nothing here decides what is (contract §7).
 */
export function manifestDifferences(agent: Reviewed, marked: readonly Marked[]): AgentDifferences {
  const { manifest: after, reviewed_manifest: before } = agent;
  const all = [
    ...compared("scope", before.permission_scopes, after.permission_scopes, ({ id }) => id),
    ...compared("tool", before.tools, after.tools, ({ name }) => name),
    ...ofTheRest(before, after),
  ].map(
    (difference): ManifestDifference => ({ ...difference, breaking: isMarked(difference, marked) }),
  );
  const ordered = all.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
  return {
    reviewed_digest: agent.reviewed_hash,
    digest: agent.manifest_hash,
    differences: ordered.slice(0, DIFFERENCES_SHOWN),
    in_all: all.length,
  };
}

type Difference = Omit<ManifestDifference, "breaking">;

/** What was removed breaks nothing, even if the hub called an earlier change of it breaking. */
function isMarked({ subject, id, kind }: Difference, marked: readonly Marked[]): boolean {
  if (subject === "manifest" || kind === "removed") return false;
  return marked.some(({ tool, scope }) =>
    subject === "tool" ? tool === id : tool === null && scope === id,
  );
}

function compared<T extends object>(
  subject: "scope" | "tool",
  before: readonly T[],
  after: readonly T[],
  idOf: (item: T) => string,
): readonly Difference[] {
  const old = new Map(before.map((item) => [idOf(item), item]));
  const kept = new Set(after.map(idOf));
  const now = after.flatMap((item): Difference[] => {
    const known = old.get(idOf(item));
    const members = memberDifferences(known ?? {}, item);
    if (members.length === 0) return [];
    const kind = known === undefined ? "added" : "changed";
    return [{ subject, id: idOf(item), kind, members }];
  });
  const gone = before
    .filter((item) => !kept.has(idOf(item)))
    .map((item): Difference => {
      const members = memberDifferences(item, {});
      return { subject, id: idOf(item), kind: "removed", members };
    });
  return [...now, ...gone];
}

function ofTheRest(before: Manifest, after: Manifest): readonly Difference[] {
  const rest = ({ tools: _tools, permission_scopes: _scopes, ...others }: Manifest) => others;
  const members = memberDifferences(rest(before), rest(after));
  if (members.length === 0) return [];
  return [{ subject: "manifest", id: "", kind: "changed", members }];
}

/** Member by member, without the one that names the entry. */
function memberDifferences(before: object, after: object): readonly MemberDifference[] {
  // Parts of a checked manifest are JSON; their types merely name some of the members.
  return placesOf(before as JsonObject, after as JsonObject)
    .filter(({ member }) => member !== "id" && member !== "name")
    .flatMap((each) => {
      const places = innermost(each);
      return places.length > PLACES_SHOWN ? [each] : places;
    })
    .map(({ member, old, now }) => ({ member, before: textOf(old), after: textOf(now) }))
    .map((each) => ({ ...each, before: shown(each.before), after: shown(each.after) }));
}

/** Places in one member; where more differ, the member is shown as a whole. */
const PLACES_SHOWN = 20;

interface Place {
  readonly member: string;
  readonly old: JsonValue | undefined;
  readonly now: JsonValue | undefined;
}

const placesOf = (before: JsonObject, after: JsonObject): readonly Place[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((member) => ({ member, old: ownValue(before, member), now: ownValue(after, member) }))
    .filter(({ old, now }) => textOf(old) !== textOf(now));

/** Where exactly a member differs: a schema is long, and its change is one word. */
function innermost(place: Place): readonly Place[] {
  const { member, old, now } = place;
  if (!isJsonObject(old) || !isJsonObject(now)) return [place];
  return placesOf(old, now)
    .map((each) => ({ ...each, member: `${member} › ${each.member}` }))
    .flatMap(innermost);
}

const textOf = (value: JsonValue | undefined): string | null =>
  value === undefined ? null : typeof value === "string" ? value : canonicalJson(value);

const shown = (text: string | null): string | null =>
  text === null || text.length <= DIFFERENCE_TEXT_MAX
    ? text
    : `${text.slice(0, DIFFERENCE_TEXT_MAX)}…`;
