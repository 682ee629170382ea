import { describe, expect, it } from "vitest";
import { CHAT_LIMITS } from "./chat/chat-request.ts";
import { SAMPLE } from "./testing/sample-chat.ts";
import { startHost, TOOLS } from "./testing/start-host.ts";
import { loadTools, SHIPPED_TOOLS } from "./tools/host-tool.ts";

const done = () => ({ text: "Done." });

describe("what is refused", () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["no object", [], ""],
    ["no model", { ...SAMPLE, model: undefined }, ""],
    ["a model without a provider", { ...SAMPLE, model: "gpt" }, "/model"],
    ["no messages", { ...SAMPLE, messages: [] }, "/messages"],
    [
      "a role nobody has",
      { ...SAMPLE, messages: [{ role: "boss", content: "a" }] },
      "/messages/0/role",
    ],
    [
      "content that is no text",
      { ...SAMPLE, messages: [{ role: "user", content: 7 }] },
      "/messages/0/content",
    ],
    ["a tool's name that is no text", { ...SAMPLE, allowedTools: [7] }, "/allowedTools/0"],
    ["a tool twice", { ...SAMPLE, allowedTools: ["echoes", "echoes"] }, "/allowedTools"],
    ["a context that is none", { ...SAMPLE, context: "a" }, "/context"],
    ["a strategy nobody knows", { ...SAMPLE, contextStrategy: "guess" }, "/contextStrategy"],
    ["a stream that is neither", { ...SAMPLE, stream: "yes" }, "/stream"],
    ["a field nobody knows", { ...SAMPLE, temperature: 1 }, ""],
  ];

  it.each(wrong)("%s, with its place", async (_, body, path) => {
    const host = await startHost(done);
    const answer = await host.chat(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "BadRequest", statusCode: 400 },
    });
    const paths = answer.body.details.faults.map((fault: { path: string }) => fault.path);
    expect(paths).toContain(path);
  });

  it("what is no JSON", async () => {
    const host = await startHost(done);
    expect(await host.chat("{")).toMatchObject({ status: 400, body: { error: "BadRequest" } });
  });

  it.each([
    ["a tool nobody has", { allowedTools: ["format_disk"] }, "Unknown tool: format_disk"],
    ["a provider nobody configured", { model: "nobody/x" }, "Unknown model: nobody/x"],
  ])("%s", async (_, over, message) => {
    const host = await startHost(done);
    const { status, body } = await host.chat({ ...SAMPLE, ...over });
    expect([status, body.error, body.message]).toEqual([404, "NotFound", message]);
  });

  it("a model the provider does not have", async () => {
    const host = await startHost(() => ({ status: 404 }));
    expect(await host.chat(SAMPLE)).toMatchObject({ status: 404, body: { error: "NotFound" } });
  });

  it("a model that does not answer", async () => {
    const host = await startHost(() => ({ status: 401 }));
    expect(await host.chat(SAMPLE)).toMatchObject({
      status: 502,
      body: { error: "BadGateway", details: { modelStatus: 401 } },
    });
  });

  it("a body that is too large", async () => {
    const host = await startHost(done);
    const content = "a".repeat(CHAT_LIMITS.bodyBytes);
    const { status, body } = await host.chat({ ...SAMPLE, messages: [{ role: "user", content }] });
    expect([status, body.error]).toEqual([413, "PayloadTooLarge"]);
  });

  it.each([undefined, "Bearer", "Bearer wrong", "Basic abc"])("a request with %j", async (auth) => {
    const host = await startHost(done);
    const { status, body, headers } = await host.chat(SAMPLE, auth ?? "");
    expect([status, body.error]).toEqual([401, "Unauthorized"]);
    expect(headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it("more requests than a key may make, with the time to wait; another key goes on", async () => {
    const host = await startHost(done, { requestsPerMinute: 2 });
    await host.chat(SAMPLE);
    await host.chat(SAMPLE);
    const { status, body, headers } = await host.chat(SAMPLE);
    expect([status, body.error]).toEqual([429, "TooManyRequests"]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    const other = await host.keys.add("other");
    expect((await host.chat(SAMPLE, `Bearer ${other}`)).status).toBe(200);
  });

  it("another method, and another address", async () => {
    const host = await startHost(done);
    expect((await host.get("/api/v1/chat")).status).toBe(405);
    expect((await host.get("/api/v1/nothing")).status).toBe(404);
    expect((await host.get("/")).status).toBe(404);
  });
});

it("every tool is listed with what it does, takes and needs", async () => {
  const host = await startHost(done);
  const { body } = await host.get("/api/v1/tools");
  const shipped = [...(await loadTools([SHIPPED_TOOLS])).values()];
  expect(body.data.tools).toEqual(
    [...shipped, ...TOOLS].map(({ name, description, inputSchema, requiredContext }) => ({
      ...{ name, description, inputSchema, requiredContext },
    })),
  );
  const needs = body.data.tools.map(({ name, requiredContext }: Listed) => [name, requiredContext]);
  expect(needs.slice(0, 2)).toEqual([
    ["bash", ["sandboxId"]],
    ["zhipin_reply_generator", ["configData", "replyPrompts"]],
  ]);
});

interface Listed {
  readonly name: string;
  readonly requiredContext: readonly string[];
}
