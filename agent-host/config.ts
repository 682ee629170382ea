import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import { errorKind } from "../app/contract/coded-error.ts";
import type { E2bOptions } from "./sandboxes/e2b-sandboxes.ts";

const Strict = { additionalProperties: false };

const Provider = Type.Object(
  {
    /** Including the version: `https://api.example.com/v1`. */
    baseUrl: Type.Optional(Type.String({ pattern: "^https?://" })),
    apiKey: Type.Optional(Type.String({ minLength: 1 })),
    /** The environment variable that contains the key. */
    apiKeyEnv: Type.Optional(Type.String({ minLength: 1 })),
    /** Default for `anthropic` and `openai`: their own; for others: `openai-compatible`. */
    api: Type.Optional(Type.Enum(["anthropic", "openai", "openai-compatible"])),
  },
  Strict,
);

const ConfigFile = Type.Object(
  {
    /** Where keys are stored; relative to the config file. */
    dataDir: Type.String({ minLength: 1 }),
    providers: Type.Record(Type.String({ pattern: "^[a-z0-9][a-z0-9_.-]*$" }), Provider),
    /** Folders with more tools; relative to the config file. */
    toolFolders: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Where `bash` runs: in this computer's own sandbox, or at E2B with its own key. */
    sandboxes: Type.Optional(
      Type.Union([
        Type.Object({ kind: Type.Literal("local") }, Strict),
        Type.Object(
          {
            kind: Type.Literal("e2b"),
            apiKey: Type.Optional(Type.String({ minLength: 1 })),
            apiKeyEnv: Type.Optional(Type.String({ minLength: 1 })),
            apiUrl: Type.Optional(Type.String({ pattern: "^https?://" })),
            sandboxUrl: Type.Optional(Type.String({ pattern: "^https?://" })),
          },
          Strict,
        ),
      ]),
    ),
    /** Maximum requests per key in any minute. Default: 60. */
    requestsPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  Strict,
);

type WrittenConfig = Static<typeof ConfigFile>;

export type ConfigErrorCode = "config_unreadable" | "config_invalid" | "api_key_missing";

const configErrors = errorKind<ConfigErrorCode>("ConfigError");
const configError = (code: ConfigErrorCode, where: string) =>
  configErrors(code, { message: `${code}: ${where}` });

export interface HostConfig {
  /** Absolute. */
  readonly dataDir: string;
  readonly providers: Readonly<Record<string, Omit<Static<typeof Provider>, "apiKeyEnv">>>;
  /** Null: this computer's own sandbox. */
  readonly e2b: E2bOptions | null;
  /** Absolute. */
  readonly toolFolders: readonly string[];
  readonly requestsPerMinute: number;
}

/** What the file says, with absolute paths. @throws ConfigError with the file or JSON Pointer that is wrong */
export async function readConfig(file: string): Promise<WrittenConfig> {
  const value = await parsed(file);
  if (!Value.Check(ConfigFile, value)) {
    const [fault] = Value.Errors(ConfigFile, value);
    throw configError("config_invalid", `${fault?.instancePath || "/"} ${fault?.message ?? ""}`);
  }
  const folder = dirname(resolve(file));
  return {
    ...value,
    dataDir: resolve(folder, value.dataDir),
    toolFolders: (value.toolFolders ?? []).map((each) => resolve(folder, each)),
  };
}

/** What is needed to listen: the keys themselves. @throws ConfigError with the variable that is not set */
export const withKeys = (
  { dataDir, toolFolders = [], requestsPerMinute = 60, sandboxes, providers }: WrittenConfig,
  environment: NodeJS.ProcessEnv,
): HostConfig => ({
  dataDir,
  toolFolders,
  requestsPerMinute,
  e2b: e2bOf(sandboxes, environment),
  providers: Object.fromEntries(
    Object.entries(providers).map(([name, provider]) => [name, withKey(provider, environment)]),
  ),
});

interface WithKey {
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
}

/** Replaces the variable's name by the key itself. @throws ConfigError */
function withKey<T extends WithKey>(
  { apiKeyEnv, ...settings }: T,
  environment: NodeJS.ProcessEnv,
): Omit<T, "apiKeyEnv"> {
  if (apiKeyEnv === undefined) return settings;
  const apiKey = environment[apiKeyEnv];
  if (!apiKey) throw configError("api_key_missing", apiKeyEnv);
  return { ...settings, apiKey };
}

function e2bOf(
  sandboxes: WrittenConfig["sandboxes"],
  environment: NodeJS.ProcessEnv,
): E2bOptions | null {
  if (sandboxes?.kind !== "e2b") return null;
  const { kind: _, apiKey, ...urls } = withKey(sandboxes, environment);
  if (apiKey === undefined) throw configError("api_key_missing", "/sandboxes");
  return { ...urls, apiKey };
}

async function parsed(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const word = (error as NodeJS.ErrnoException).code ?? "not JSON";
    throw configError("config_unreadable", `${file} (${word})`);
  }
}
