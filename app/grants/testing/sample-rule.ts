import { ANYTHING, type Rule } from "../../contract/rule.ts";
import { type CallFacts, factsOf } from "../call-facts.ts";

let made = 0;

export const HASH = "a".repeat(64);

export const sampleRule = (given: Partial<Rule> = {}): Rule => ({
  rule_id: `rule-${++made}`,
  agent_id: "agent-1",
  covers: "read_file",
  subject: ANYTHING,
  effect: "allow",
  ends_at: null,
  for_task: false,
  answers_high: false,
  manifest_hash: HASH,
  made_at: 0,
  made_on: null,
  last_used_at: null,
  uses: 0,
  ...given,
});

export const pathRule = (path: string, given: Partial<Rule> = {}): Rule =>
  sampleRule({ subject: { kind: "path", path, names: null }, ...given });

export const reading = (path: string): CallFacts =>
  factsOf({
    tool_name: "read_file",
    scope: "filesystem:read",
    sensitivity: "medium",
    arguments: { path },
    preview: null,
  });

export const fetching = (url: string, args: object = {}): CallFacts =>
  factsOf({
    tool_name: "fetch_url",
    scope: "network:http",
    sensitivity: "medium",
    arguments: { url, ...args },
    preview: null,
  });

interface Looked {
  readonly program?: string;
  readonly sandbox?: "bubblewrap" | null;
  readonly network?: boolean;
}

/** A command whose program was looked up; with `null` it was not. */
export const running = (argv: readonly string[], looked: Looked | null = {}): CallFacts =>
  factsOf({
    tool_name: "run_command",
    scope: "shell:exec",
    sensitivity: "high",
    arguments: { argv: [...argv], directory: "/proj" },
    preview:
      looked === null
        ? null
        : {
            kind: "command",
            program: "/usr/bin/git",
            sandbox: "bubblewrap",
            network: false,
            ...looked,
          },
  });
