import { expect, test } from "vitest";
import { systemRequest } from "./system-request.ts";

const AGENTS = [
  { agent_id: "demo", name: "Demo", petname: null },
  { agent_id: "bot", name: "DemoBot", petname: null },
  { agent_id: "notes", name: "Reader", petname: "Meine Notizen" },
];

test.each([
  ["更新 DemoBot 的 Capability Manifest", "bot"],
  ["替换demobot的清单", "bot"],
  ["Update Demo's manifest", "demo"],
  ["I want to change the manifest of DemoBot, please", "bot"],
  ["Aktualisiere das Manifest von Meine Notizen", "notes"],
  ["manifest", null],
  ["Update the manifest of Somebody", null],
])("%s opens the form", (text, agent_id) => {
  expect(systemRequest(text, AGENTS)).toEqual({ kind: "manifest", agent_id });
});

test.each(["Hello", "更新 DemoBot", "What can you do?", ""])("%s asks for nothing", (text) => {
  expect(systemRequest(text, AGENTS)).toEqual({ kind: "unknown" });
});

test("of two agents with one name the person chooses", () => {
  const twins = [...AGENTS, { agent_id: "other", name: "demobot", petname: null }];
  expect(systemRequest("Update DemoBot's manifest", twins)).toEqual({
    kind: "manifest",
    agent_id: null,
  });
});
