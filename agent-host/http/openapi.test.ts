import { Value } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { modelsOf } from "../providers.ts";
import { callsOnce, noSandboxes, startHost } from "../testing/start-host.ts";
import { API_ERRORS } from "./api-error.ts";
import { ChatAnswer, ErrorAnswer, openApi, ReportAnswer, ToolsAnswer } from "./openapi.ts";
import { hostRoutes } from "./routes.ts";

let host: Awaited<ReturnType<typeof startHost>>;
beforeEach(async () => {
  host = await startHost(callsOnce("echoes", { text: "a" }));
});

const CHAT = {
  model: "openai/any",
  messages: [{ role: "user", content: "Hello" }],
  allowedTools: ["echoes"],
};

describe("the OpenAPI document", () => {
  it("is served without a key, and is the one that is made", async () => {
    const answer = await fetch(`${host.url}/api/v1/openapi.json`);
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApi())));
  });

  it("describes every route, and no other", () => {
    const parts = {
      findModel: modelsOf({ providers: {} }),
      tools: new Map(),
      keys: { nameOf: async () => null },
    };
    const app = hostRoutes({ ...parts, sandboxes: noSandboxes, requestsPerMinute: 1 });
    const routed = app.routes
      .filter(({ method, path }) => method !== "ALL" && !path.includes("*"))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, "{$1}")}`);
    const described = Object.entries(openApi().paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(new Set(described)).toEqual(new Set(routed));
  });

  it("describes what is answered", async () => {
    const chat = await host.chat(CHAT);
    expect([...Value.Errors(ChatAnswer, chat.body)]).toEqual([]);
    const report = await host.chat({ ...CHAT, validateOnly: true });
    expect([...Value.Errors(ReportAnswer, report.body)]).toEqual([]);
    const tools = await host.get("/api/v1/tools");
    expect([...Value.Errors(ToolsAnswer, tools.body)]).toEqual([]);
    for (const refused of [await host.chat({}), await host.chat(CHAT, ""), await host.get("/a")]) {
      expect([...Value.Errors(ErrorAnswer, refused.body)]).toEqual([]);
      expect(refused.body.statusCode).toBe(refused.status);
    }
  });

  it("names every status that a chat is refused with", () => {
    const { responses } = openApi().paths["/api/v1/chat"].post;
    const { MethodNotAllowed: _, ServiceUnavailable: __, ...refusals } = API_ERRORS;
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(Object.values(refusals).map(String)),
    );
  });
});
