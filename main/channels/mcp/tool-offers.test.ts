import { expect, it } from "vitest";
import { agentWith } from "../../../app/execution/testing/chain-harness.ts";
import { listedFolders } from "./mcp-server.ts";
import { offerTo } from "./tool-offers.ts";

const ROOTS = [
  { root_id: "1", path: "/home/me/notes", access: "read", added_at: 0 },
  { root_id: "2", path: "/home/me/secret.txt", access: "read", added_at: 0, only_file: true },
] as const;
const listed = (shape: Parameters<typeof agentWith>[0]) =>
  listedFolders(offerTo({ ...agentWith(shape), roots: ROOTS }, "en", [])).map(({ name }) => name);

it("an agent that may read is shown its folders, and no file among them", () => {
  expect(listed({})).toEqual(["notes"]);
});

it("an agent that may not read is shown no folder", () => {
  expect(listed({ grants: { "filesystem:read": "revoked" } })).toEqual([]);
});
