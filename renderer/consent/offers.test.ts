import { describe, expect, test } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { createI18n } from "../../i18n/index.ts";
import { type GivenRoot, LASTS, offersFor, unaskedWords } from "./offers.ts";

const { t } = createI18n("en");
const HOME = "/home/ada/proj";
const FILE = `${HOME}/notes.md`;
const path = (each: string) => ({ kind: "path", path: each, names: null }) as const;
type Offering = Parameters<typeof offersFor>[0];
const card = (differs: Partial<ConsentCard> = {}): Offering => ({
  tool_name: "read_file",
  arguments: { path: FILE },
  subject: { kind: "folder", path: HOME },
  answers: ["deny", "allow_once", "allow_in_conversation", "allow_scope_in_conversation"],
  rule_subjects: [path(FILE), path(HOME)],
  ...differs,
});
const naming = { folders: [HOME], scope: "Read files", tool: "Read a file", project: null };
const words = (of: Offering, lasts: (typeof LASTS)[number], root: GivenRoot | null = null) =>
  offersFor(of, lasts, root).map((offer) => unaskedWords(t, offer, naming));
const given = (differs: Partial<GivenRoot["terms"]> = {}): GivenRoot => ({
  path: HOME,
  terms: { only_file: false, access: "read", time: "always", ...differs },
});

test("once gives nothing else, whatever is offered", () => {
  expect(offersFor(card(), "once", given())).toEqual([
    { answer: "allow_once", rule: null, unasked: null },
  ]);
});

test("a conversation: what the card shows first, then the whole permission", () => {
  expect(words(card(), "conversation")).toEqual([
    t("consent.unasked.in", { what: "Read files", path: "proj" }),
    t("consent.unasked.folders", { what: "Read files" }),
  ]);
  expect(words(card({ answers: ["deny", "allow_once"] }), "conversation")).toEqual([]);
  expect(words(card({ subject: null }), "conversation")).toEqual([]);
});

test("today and always are rules for the tool, the file alone first", () => {
  expect(words(card(), "today")).toEqual([
    t("consent.unasked.file", { what: "Read a file", path: "proj/notes.md" }),
    t("consent.unasked.in", { what: "Read a file", path: "proj" }),
  ]);
  expect(offersFor(card(), "always", null).map(({ rule }) => rule)).toEqual([
    { subject: path(FILE), time: "always" },
    { subject: path(HOME), time: "always" },
  ]);
});

test("a host: its pages, and never sending data", () => {
  const host = { kind: "host", host: "a.test", port: 443 } as const;
  const fetching = card({
    tool_name: "fetch_url",
    subject: host,
    rule_subjects: [{ ...host, method: "reading" }, { kind: "anything" }],
  });
  const here = t("consent.unasked.host", { host: "a.test:443" });
  const anywhere = t("consent.unasked.hosts");
  for (const lasts of ["conversation", "always"] as const) {
    expect(words(fetching, lasts)).toEqual([here, anywhere]);
  }
});

describe("where something is to be opened", () => {
  test("a rule goes exactly as far as what is opened", () => {
    expect(offersFor(card(), "today", given()).map(({ rule }) => rule?.subject)).toEqual([
      path(HOME),
    ]);
    const alone = given({ only_file: true });
    expect(offersFor(card(), "today", alone).map(({ rule }) => rule?.subject)).toEqual([
      path(FILE),
    ]);
  });

  test("another folder than the offered ones is opened, and its use still asked about", () => {
    const other = { ...given(), path: "/home/ada" };
    expect(offersFor(card(), "always", other)).toEqual([
      { answer: "allow_once", rule: null, unasked: null },
    ]);
  });

  test("a high one lasts in nothing but what is opened", () => {
    const high = card({ subject: null, rule_subjects: [], answers: ["deny", "allow_once"] });
    for (const lasts of LASTS) {
      expect(offersFor(high, lasts, given()).map(({ answer }) => answer)).toEqual(["allow_once"]);
      expect(offersFor(high, lasts, null)).toHaveLength(lasts === "once" ? 1 : 0);
    }
  });
});

test("a rule counts in the project that an agent has open, a folder says where by itself", () => {
  const command = { kind: "command", program: "/usr/bin/npm", begins: ["test"] } as const;
  const of = card({ rule_subjects: [{ ...command, begins: ["test"] }, path(HOME)] });
  const said = offersFor(of, "always", null).map((offer) =>
    unaskedWords(t, offer, { ...naming, project: "/home/ada/app" }),
  );
  expect(said).toEqual([
    "commands that begin with npm test, in the project app",
    "“Read a file” for proj and everything in it",
  ]);
});

test("until the prompt ends is offered where the card does, and gives what a conversation would", () => {
  expect(offersFor(card(), "prompt", null)).toEqual([]);
  const answers = ["deny", "allow_once", "allow_in_prompt", "allow_in_conversation"] as const;
  const [offer, ...more] = offersFor(card({ answers }), "prompt", null);
  expect([offer?.answer, more]).toEqual(["allow_in_prompt", []]);
  expect(offer?.unasked).toEqual({ kind: "in", path: HOME });
});
