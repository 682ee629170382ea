import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";

type Properties = ElicitRequestFormParams["requestedSchema"]["properties"];

const ask = (
  message: string,
  properties: Properties,
  required?: string[],
): ElicitRequestFormParams => ({
  message,
  requestedSchema: { type: "object", properties, ...(required === undefined ? {} : { required }) },
});

const OPTIONS = ["option1", "option2", "option3"];
const titled = (first: string) => [
  { const: "value1", title: `First ${first}` },
  { const: "value2", title: `Second ${first}` },
  { const: "value3", title: `Third ${first}` },
];

/** What the fixture's tools ask the person at the client. */
export const ASKS = {
  name: ask("What is your name?", { name: { type: "string" } }, ["name"]),
  confirm: ask("Please confirm", { ok: { type: "boolean" } }, ["ok"]),
  step1: ask("Step 1: What is your name?", { name: { type: "string" } }, ["name"]),
  step2: ask("Step 2: What is your favorite color?", { color: { type: "string" } }, ["color"]),
  context: ask("What context should the prompt use?", { context: { type: "string" } }, ["context"]),
  account: ask("", { username: { type: "string" }, email: { type: "string" } }, [
    "username",
    "email",
  ]),
  defaults: ask("Please check these", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  choices: ask("Please choose", {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  }),
} as const;
