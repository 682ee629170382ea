import Type, { type Static } from "typebox";
import { LIMITS } from "../contract/limits.ts";

const DAY_MS = 24 * 3_600_000;
/** What the contract promises at least (contract §6). */
export const LEAST_RETENTION_DAYS = LIMITS.auditRetentionMs / DAY_MS;
const MOST_RETENTION_DAYS = 3_650;
/** From 1 to 65535. */
const PORT =
  "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";

/**
 * What an administrator decides for a computer. Every member only restricts; one that is absent leaves the
 * person free.
 */
export const PolicyFile = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: "Where this schema is, for editors." })),
    version: Type.Literal(1, { description: "The form of this file." }),
    allowed_agents: Type.Optional(
      Type.Array(Type.String({ pattern: "^[0-9a-f]{4}( [0-9a-f]{4}){4}$" }), {
        maxItems: 1_000,
        description:
          "Only agents whose keys have one of these fingerprints may call tools. Programs on this computer (MCP clients, hooks) have no key, so none of them may.",
      }),
    ),
    denied_scopes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 1_000,
        description:
          "Permissions that nobody can give, and that do not count where they were given.",
      }),
    ),
    sensitivities: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 128 }),
        Type.Union([Type.Literal("medium"), Type.Literal("high")]),
        {
          description:
            "By permission, the least sensitivity that its calls have. It makes them ask more often, never less.",
        },
      ),
    ),
    hub_address: Type.Optional(
      Type.String({
        pattern: `^http://127\\.0\\.0\\.1:${PORT}$`,
        description: "The address of the hub. If it is taken, Consentry does not start.",
      }),
    ),
    retention_days: Type.Optional(
      Type.Integer({
        minimum: LEAST_RETENTION_DAYS,
        maximum: MOST_RETENTION_DAYS,
        description: "How many days the log is kept.",
      }),
    ),
    updates: Type.Optional(
      Type.Literal("off", { description: "Consentry does not update itself." }),
    ),
  },
  { additionalProperties: false },
);
type PolicyFile = Readonly<Static<typeof PolicyFile>>;

/** What applies, from all files together. */
export interface Policy {
  /** Fingerprints of keys; null: any agent. */
  readonly allowedAgents: readonly string[] | null;
  readonly deniedScopes: readonly string[];
  readonly sensitivities: ReadonlyMap<string, "medium" | "high">;
  /** Null: the person's. */
  readonly hubPort: number | null;
  readonly retentionDays: number;
  readonly updatesOff: boolean;
}

export const NO_POLICY: Policy = {
  allowedAgents: null,
  deniedScopes: [],
  sensitivities: new Map(),
  hubPort: null,
  retentionDays: LEAST_RETENTION_DAYS,
  updatesOff: false,
};

const policyOf = (file: PolicyFile): Policy => ({
  allowedAgents: file.allowed_agents ?? null,
  deniedScopes: file.denied_scopes ?? [],
  sensitivities: new Map(Object.entries(file.sensitivities ?? {})),
  hubPort: file.hub_address === undefined ? null : Number(file.hub_address.split(":").at(-1)),
  retentionDays: file.retention_days ?? LEAST_RETENTION_DAYS,
  updatesOff: file.updates === "off",
});

/**
 * What applies where this file does too: never less than without it. Null: they name two addresses for the
 * hub, so nothing satisfies both.
 */
export function withFile(policy: Policy, file: PolicyFile): Policy | null {
  const added = policyOf(file);
  if (policy.hubPort !== null && added.hubPort !== null && policy.hubPort !== added.hubPort) {
    return null;
  }
  return {
    allowedAgents: both(policy.allowedAgents, added.allowedAgents),
    deniedScopes: [...new Set([...policy.deniedScopes, ...added.deniedScopes])],
    sensitivities: stricter(policy.sensitivities, added.sensitivities),
    hubPort: policy.hubPort ?? added.hubPort,
    retentionDays: Math.max(policy.retentionDays, added.retentionDays),
    updatesOff: policy.updatesOff || added.updatesOff,
  };
}

function both(one: readonly string[] | null, other: readonly string[] | null) {
  if (one === null) return other;
  return other === null ? one : one.filter((each) => other.includes(each));
}

function stricter(one: Policy["sensitivities"], other: Policy["sensitivities"]) {
  const joined = new Map(one);
  for (const [scope, level] of other) {
    if (joined.get(scope) !== "high") joined.set(scope, level);
  }
  return joined;
}

/** On Windows: the system, its administrators, and the installer of its own files. */
const ADMINISTRATORS = [
  "SY",
  "BA",
  "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464",
];
const ONLY_READING = [
  "FR",
  "FX",
  "FRFX",
  "GR",
  "GX",
  "GRGX",
  "GXGR",
  "0x1200a9",
  "0x120089",
  "0x120080",
];
/** An entry of an access list: type, flags, rights, two kinds of object, account. */
const ENTRY = /\(([A-Z]+);([A-Z]*);([^;()]*);[^;()]*;[^;()]*;([^;()]*)\)/g;

/**
 * Whether nobody but administrators can change a file on Windows, by its security descriptor in text form
 * (SDDL). Rights that are not known to be for reading count as writing.
 * @param owner the account that may change it too, as a SID; null: none
 */
export function isProtectedOnWindows(sddl: string, owner: string | null = null): boolean {
  const trusted = owner === null ? ADMINISTRATORS : [...ADMINISTRATORS, owner];
  const holder = /^O:(S-[\d-]+|[A-Z]{2})/.exec(sddl)?.[1] ?? "";
  const list = /D:[A-Z]*((?:\([^()]*\))+)(?:S:|$)/.exec(sddl)?.[1];
  if (!trusted.includes(holder) || list === undefined) return false;
  const entries = [...list.matchAll(ENTRY)];
  if (entries.map(([entry]) => entry).join("") !== list) return false;
  return entries.every(([, type, flags = "", rights = "", account = ""]) => {
    const onlyForNewFiles = flags.includes("IO");
    if (type === "D" || onlyForNewFiles || trusted.includes(account)) return true;
    return type === "A" && ONLY_READING.includes(rights);
  });
}

const OTHERS_MAY_WRITE = 0o022;

/** The same where files have an owner and a mode. @param owner the account's number */
export const isProtectedByMode = (
  { uid, mode }: { readonly uid: number; readonly mode: number },
  owner: number | null = null,
): boolean => (uid === 0 || uid === owner) && (mode & OTHERS_MAY_WRITE) === 0;
