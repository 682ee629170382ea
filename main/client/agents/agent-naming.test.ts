import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../app/contract/digest.ts";
import type { PeerView } from "../../../app/encryption/e2ee/ports.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { createI18n } from "../../../i18n/index.ts";
import { AgentNaming } from "./agent-naming.ts";

interface Named {
  readonly name: string;
  readonly petname?: string;
  /** Hex; absent: its keys are not known. */
  readonly key_id?: string;
  readonly changed_to?: string;
  /** A program on this computer, without the hub. */
  readonly isLocal?: boolean;
  readonly folder?: string;
}

/** Only names and keys of agents matter here. */
function naming(agents: Readonly<Record<string, Named>>): AgentNaming {
  const known = Object.entries(agents).map(
    ([agent_id, { name, isLocal = false }]) =>
      ({ agent_id, name, relation: isLocal ? null : {} }) as KnownAgent,
  );
  return new AgentNaming({
    agents: {
      list: () => known,
      agent: (agentId) => known.find(({ agent_id }) => agent_id === agentId),
    },
    petnames: { of: (agentId) => agents[agentId]?.petname ?? null },
    book: {
      peer(owner_id): PeerView | undefined {
        const { key_id, changed_to = null } = agents[owner_id] ?? {};
        const known = { owner_id, verified: false, introduction: null, changed_to };
        return key_id === undefined ? undefined : { ...known, key_id };
      },
    },
    folderOf: (agentId) => agents[agentId]?.folder ?? null,
    texts: () => createI18n("en").t,
  });
}

const keyId = (of: string): string => sha256Hex(`key of ${of}`);

/** Two ids whose hashes begin with the same eight hex digits: a second's work for anybody. */
function groundIds(): readonly [string, string] {
  const seen = new Map<string, string>();
  for (let tried = 0; ; tried += 1) {
    const id = `agent-${tried}`;
    const beginning = sha256Hex(id).slice(0, 8);
    const other = seen.get(beginning);
    if (other !== undefined) return [other, id];
    seen.set(beginning, id);
  }
}

describe("what distinguishes agents", () => {
  it("is their keys: ids made to look alike do not deceive", () => {
    const [one, other] = groundIds();
    const named = naming({
      [one]: { name: "Coco", key_id: keyId(one) },
      [other]: { name: "Coco", key_id: keyId(other) },
    });
    const labels = [named.label(one), named.label(other)];
    for (const label of labels) expect(label).toMatch(/^Coco \([0-9a-f]{4}( [0-9a-f]{4}){4}\)$/);
    const beginnings = labels.map((label) =>
      label?.slice("Coco (".length, "Coco (ab12 cd34".length),
    );
    expect(new Set(beginnings).size).toBe(2);
  });

  it("is all 80 bits of them: keys made to begin alike are still distinguished", () => {
    const end = "0".repeat(64 - 20);
    const named = naming({
      a: { name: "Coco", key_id: `5b1e07c29d44a0f38e61${end}` },
      b: { name: "Coco", key_id: `5b1e07c29d44a0f38e62${end}` },
    });
    expect(named.label("a")).toBe("Coco (5b1e 07c2 9d44 a0f3 8e61)");
    expect(named.label("b")).toBe("Coco (5b1e 07c2 9d44 a0f3 8e62)");
  });

  it("is never a key that is unknown or in doubt", () => {
    const named = naming({
      late: { name: "Coco" },
      changed: { name: "Coco", key_id: keyId("a"), changed_to: keyId("b") },
    });
    expect(named.key("late")).toEqual({ kind: "unknown" });
    expect(named.key("changed")).toEqual({ kind: "in_doubt" });
    expect(named.label("late")).toBe("Coco (key not known yet)");
    expect(named.label("changed")).toBe("Coco (key changed, not accepted)");
  });

  it("is not awaited from a program on this computer, which has none", () => {
    const named = naming({ one: { name: "Coco", isLocal: true }, two: { name: "Coco" } });
    expect(named.key("one")).toEqual({ kind: "none" });
    expect(named.label("one")).toBe("Coco");
  });

  it("is the project of a program on this computer, where two have one name", () => {
    const named = naming({
      one: { name: "Coco", isLocal: true, folder: "/home/ada/code/shop" },
      two: { name: "Coco", isLocal: true, folder: "/home/ada/code/web" },
      three: { name: "Ada", isLocal: true, folder: "/home/ada/code/web" },
    });
    expect(named.label("one")).toBe("Coco · shop");
    expect(named.label("two")).toBe("Coco · web");
    expect(named.label("three")).toBe("Ada");
  });

  it("is shown only next to names that another agent has too", () => {
    const named = naming({
      a: { name: "Helper", petname: "Archivist", key_id: keyId("a") },
      b: { name: "Helper", key_id: keyId("b") },
      c: { name: "  ARCHIVIST", key_id: keyId("c") },
    });
    expect(named.label("b")).toBe("Helper");
    expect(named.label("a")).toMatch(/^Archivist \(/);
    expect(named.label("c")).toMatch(/^ {2}ARCHIVIST \(/);
    expect(named.label("nobody")).toBeNull();
  });

  it("compares a newcomer with every name of an agent, its own and the person's", () => {
    const named = naming({
      a: { name: "Helper", petname: "Archivist", key_id: keyId("a") },
      b: { name: "Other", key_id: keyId("b") },
    });
    expect(named.lookalikes("archivist ")).toEqual(["a"]);
    expect(named.lookalikes("HELPER")).toEqual(["a"]);
    expect(named.lookalikes("Nobody")).toEqual([]);
  });

  it("notices names that look alike in other letters, and marks letters that only look familiar", () => {
    const cyrillic = "\u0421\u043e\u0441\u043e";
    const named = naming({
      a: { name: "Coco", key_id: keyId("a") },
      b: { name: cyrillic, key_id: keyId("b") },
      c: { name: "Rea\u0501er", key_id: keyId("c") },
      d: { name: "日本語のエージェント", key_id: keyId("d") },
    });
    const signs = named.signs();
    expect(signs("a")).toMatchObject({ name_is_shared: true, name_mark: null });
    expect(signs("b")).toMatchObject({ name_is_shared: true, name_mark: "looks_latin" });
    expect(signs("c")).toMatchObject({ name_is_shared: false, name_mark: "mixed_scripts" });
    expect(signs("d")).toMatchObject({ name_is_shared: false, name_mark: null });
    for (const id of ["a", "b", "c"]) expect(named.label(id)).toMatch(/ \([0-9a-f ]{24}\)$/);
    expect(named.label("d")).toBe("日本語のエージェント");
    expect(named.lookalikes(cyrillic)).toEqual(["a", "b"]);
    const isBorrowed = named.borrowing();
    expect(isBorrowed({ member_id: "stranger", name: "C\u03bfc\u03bf" })).toBe(true);
    expect(isBorrowed({ member_id: "stranger", name: "Nobody" })).toBe(false);
    expect(isBorrowed({ member_id: "a", name: "Coco" })).toBe(false);
  });
});
