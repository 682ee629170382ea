import { clientToken, tokenFile } from "../local/client-token.ts";
import { HOOK_SOCKET, socketAddress } from "../local/socket-address.ts";
import type { HookAgent } from "./agent-tools.ts";

export interface HookPlace {
  readonly agent: HookAgent;
  readonly dataDir: string;
  /** The folder in which hooks keep their tokens. */
  readonly tokens: string;
}

/** What hooks call themselves to the person. */
const HOOK_NAMES: Readonly<Record<HookAgent, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  goose: "Goose",
  vscode: "VS Code",
};

/** Is there while the agent's own rules are to decide where Consentry is not running. */
export const ownRulesFile = ({ agent, dataDir, tokens }: HookPlace): string =>
  `${tokenFile(tokens, `hook ${agent}`, dataDir)}.own-rules`;

/** Where this agent's hooks ask, and as whom. */
export const hookAccess = ({ agent, dataDir, tokens }: HookPlace) => ({
  address: socketAddress(dataDir, HOOK_SOCKET),
  token: clientToken(tokens, `hook ${agent}`, dataDir),
  name: HOOK_NAMES[agent],
});
