import { Type } from "typebox";
import { AGENT_CATALOGUE } from "./agent-catalogue.ts";
import { CATALOGUE } from "./catalogue.ts";
import type { ToolContract } from "./tools/tool-contract.ts";

/** Characters of a pattern for names, and of a program's file or one of its arguments. */
const NAMES_CHARS = 255;
const PATH_CHARS = 4096;
const WORD_CHARS = 4096;
const TOOL_CHARS = 256;
const WORDS = 64;

const closed = { additionalProperties: false } as const;

/** How a command begins. */
export const CommandBeginning = Type.Object(
  {
    /** The program's file, with every link resolved. */
    program: Type.String({ minLength: 1, maxLength: PATH_CHARS }),
    /** What it is called by where its file has another name, as with `npm` or all that is one `busybox`. */
    named: Type.Optional(Type.String({ minLength: 1, maxLength: NAMES_CHARS })),
    /** How its arguments begin: whole ones, in this order. */
    begins: Type.Array(Type.String({ maxLength: WORD_CHARS }), { maxItems: WORDS }),
  },
  closed,
);

export type CommandBeginning = Type.Static<typeof CommandBeginning>;

/** What a rule is about (contract §3). */
export const RuleSubject = Type.Union([
  Type.Object({ kind: Type.Literal("anything") }, closed),
  /** A file, or a folder and everything below it. */
  Type.Object(
    {
      kind: Type.Literal("path"),
      /** As `plainPath` returns it. */
      path: Type.String({ minLength: 1, maxLength: PATH_CHARS }),
      /** Only what has such a name: `*` stands for any characters, `?` for one. Null: whatever its name. */
      names: Type.Union([
        Type.String({ minLength: 1, maxLength: NAMES_CHARS, pattern: "^[^/\\\\]+$" }),
        Type.Null(),
      ]),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("host"),
      host: Type.String({ minLength: 1, maxLength: 255 }),
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      /** `reading`: GET and HEAD with harmless fields; `sending`: everything else. */
      method: Type.Enum(["reading", "sending", "any"]),
    },
    closed,
  ),
  Type.Object({ kind: Type.Literal("command"), ...CommandBeginning.properties }, closed),
  /** A tool of the agent's own that none of ours resembles, such as one of an MCP server. */
  Type.Object(
    { kind: Type.Literal("tool"), tool: Type.String({ minLength: 1, maxLength: TOOL_CHARS }) },
    closed,
  ),
]);
export type RuleSubject = Type.Static<typeof RuleSubject>;

/** Beginnings of commands, each of which may stand in a line. */
export const CommandBeginnings = Type.Object(
  {
    kind: Type.Literal("commands"),
    commands: Type.Array(CommandBeginning, { minItems: 1, maxItems: 16 }),
  },
  closed,
);

/** What a card offers rules for: of several commands, one each. */
export const OfferedSubject = Type.Union([...RuleSubject.anyOf, CommandBeginnings]);
export type OfferedSubject = Type.Static<typeof OfferedSubject>;

export const ANYTHING: RuleSubject = { kind: "anything" };

export const RULE_EFFECTS = ["allow", "ask", "deny"] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** How long a rule lasts: 15 minutes, 8 hours, until the agent has gone (a day at most), today, always. */
export const RULE_TIMES = ["minutes", "hours", "task", "today", "always"] as const;
export type RuleTime = (typeof RULE_TIMES)[number];

/** How long a changed rule lasts: as one that is made now, or until the end that it had. */
export const CHANGED_RULE_TIMES = [...RULE_TIMES, "unchanged"] as const;
export type ChangedRuleTime = (typeof CHANGED_RULE_TIMES)[number];

/** How long a folder given on a card lasts: for that call alone, or as a rule does. */
export const ROOT_TIMES = ["once", ...RULE_TIMES] as const;
export type RootTime = (typeof ROOT_TIMES)[number];

/** What a rule says. */
export const RuleWords = Type.Object(
  {
    /** A name of the catalogue, so that no alias gets past it, or a scope: all its tools. */
    covers: Type.String({ minLength: 1, maxLength: 128 }),
    subject: RuleSubject,
    effect: Type.Enum(RULE_EFFECTS),
    /** Only where the agent has this folder open, with every link resolved; absent: anywhere. */
    project: Type.Optional(Type.String({ minLength: 1, maxLength: PATH_CHARS })),
  },
  { additionalProperties: false },
);
export type RuleWords = Type.Static<typeof RuleWords>;

/** A rule as files keep it. */
export const FileRule = Type.Object(
  {
    ...RuleWords.properties,
    /** Milliseconds since the epoch; null: no end. */
    ends_at: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  },
  { additionalProperties: false },
);
export type FileRule = Type.Static<typeof FileRule>;

/** What the person decided about calls to come. */
export interface Rule extends RuleWords {
  readonly rule_id: string;
  readonly agent_id: string;
  /** Milliseconds on the trusted clock; null: no end. */
  readonly ends_at: number | null;
  /** It ends when the agent has gone, and when the program ends. */
  readonly for_task: boolean;
  /** An allow rule of a person's own hand that also answers a high one (contract §3). */
  readonly answers_high: boolean;
  /** The manifest it was made under; another one ends an allow rule. */
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly made_at: number;
  /** The call whose card it was made on; null: made by hand. */
  readonly made_on: string | null;
  readonly last_used_at: number | null;
  readonly uses: number;
}

/** A rule to be stored. */
export type MadeRule = Omit<Rule, "rule_id" | "last_used_at" | "uses">;

/** What the person chose on a card; the rest follows from the call. */
export interface ChosenRule extends Pick<Rule, "ends_at" | "for_task"> {
  readonly subject: OfferedSubject;
}

/** @param now on the trusted clock */
export const isRuleActive = (
  { effect, ends_at, manifest_hash }: Rule,
  manifestHash: string,
  now: number,
): boolean =>
  (ends_at === null || now < ends_at) && (effect !== "allow" || manifest_hash === manifestHash);

/** The kinds of subjects that a rule about a tool or scope can have, the most telling first. */
export const subjectKinds = (covers: string): readonly RuleSubject["kind"][] => [
  ...new Set(
    [...CATALOGUE.values(), ...AGENT_CATALOGUE.values()]
      .filter(({ name, scope }) => [name, scope].includes(covers))
      .flatMap(kindsOfTool),
  ),
];

export function kindsOfTool({ name, scope }: ToolShape): readonly RuleSubject["kind"][] {
  if (name === "run_command") return ["command", "path", "anything"];
  if (name === "fetch_url") return ["host", "anything"];
  if (name === "use_tool") return ["tool", "anything"];
  const namesPlaces =
    scope.startsWith("filesystem:") || scope === "agent:read" || scope === "agent:edit";
  return namesPlaces ? ["path", "anything"] : ["anything"];
}

export type ToolShape = Pick<ToolContract, "name" | "scope">;
