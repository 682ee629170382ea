import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { HostParts } from "../http/answer-chat.ts";
import { serve } from "../http/routes.ts";
import { KeyStore } from "../key-file.ts";
import { modelsOf } from "../providers.ts";
import { type Sandboxes, sandboxError } from "../sandboxes/sandboxes.ts";
import { recordedModel } from "../scripted-model/recorded-model.ts";
import type { ModelScript } from "../scripted-model/scripted-model.ts";
import { type HostTool, hostToolError, loadTools, SHIPPED_TOOLS } from "../tools/host-tool.ts";

export const TOOL = {
  description: "A tool of the tests",
  inputSchema: { type: "object", additionalProperties: false },
  requiredContext: [],
} as const;

export const TOOLS: readonly HostTool[] = [
  {
    ...TOOL,
    name: "echoes",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    execute: async (input) => input,
  },
  { ...TOOL, name: "tells_context", execute: async (_, { context }) => context },
  {
    ...TOOL,
    name: "fails",
    execute: async () => {
      throw hostToolError("out_of_ink", { message: "There is no ink left." });
    },
  },
  {
    ...TOOL,
    name: "refuses",
    execute: async () => {
      throw hostToolError("user_refused", {
        message: "The person said no.",
        details: { isRefusal: true },
      });
    },
  },
  {
    ...TOOL,
    name: "crashes",
    execute: async () => {
      throw new Error("secret of the tool");
    },
  },
  {
    ...TOOL,
    name: "reports",
    async execute(_, { report }) {
      report("half way");
      return "there";
    },
  },
];

const refuse = () => Promise.reject(sandboxError("sandbox_unavailable"));

export const noSandboxes: Sandboxes = {
  create: refuse,
  run: refuse,
  remove: refuse,
  async [Symbol.asyncDispose]() {},
};

/** Calls this tool once, and is done when it has the result. */
export const callsOnce =
  (name: string, input: object | string = {}): ModelScript =>
  ({ results }) =>
    results.length === 0 ? { calls: [{ name, input }] } : { text: "Done." };

/**
 * A host on loopback with these tools and the shipped ones, using a scripted model. It ends with the
 * test.
 */
export async function startHost(script: ModelScript, over: Partial<HostParts> = {}) {
  await using held = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "agent-host-"));
  held.defer(() => rm(dataDir, { recursive: true }));
  const model = held.use(await recordedModel(script));
  const keys = new KeyStore(dataDir);
  const key = await keys.add("tests");
  const baseUrl = `${model.url}/v1`;
  const providers = {
    anthropic: { baseUrl, apiKey: "none" },
    openai: { baseUrl, apiKey: "none" },
    local: { baseUrl },
  };
  const tools = new Map([
    ...(await loadTools([SHIPPED_TOOLS])),
    ...TOOLS.map((tool) => [tool.name, tool] as const),
  ]);
  const findModel = modelsOf({ providers });
  const parts = { findModel, tools, keys, sandboxes: noSandboxes, requestsPerMinute: 1_000 };
  const { url } = held.use(await serve({ ...parts, ...over }, { host: "127.0.0.1", port: 0 }));
  const send = (body: unknown, signal?: AbortSignal, authorization = `Bearer ${key}`) =>
    fetch(`${url}/api/v1/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(authorization && { authorization }) },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const open = held.move();
  onTestFinished(() => open.disposeAsync());
  return {
    url,
    model,
    keys,
    send,
    chat: async (body: unknown, authorization?: string) =>
      answerOf(await send(body, undefined, authorization)),
    stream: async (body: unknown) => eventsOf(await (await send(body)).text()),
    get: async (path: string) =>
      answerOf(await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })),
    request: (method: string, path: string, authorization = `Bearer ${key}`) =>
      fetch(`${url}${path}`, { method, headers: { authorization } }),
  };
}

async function answerOf(response: Response) {
  const { status, headers } = response;
  // biome-ignore lint/suspicious/noExplicitAny: the response itself is under test
  const body = (await response.json()) as any;
  return { status, headers, body };
}

const eventsOf = (text: string) =>
  text
    .split("\n\n")
    .filter((block) => block.startsWith("event:"))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1],
      // biome-ignore lint/suspicious/noExplicitAny: the response itself is under test
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null") as any,
    }));
