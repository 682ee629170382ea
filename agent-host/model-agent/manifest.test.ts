import { expect, it } from "vitest";
import { CATALOGUE } from "../../app/contract/catalogue.ts";
import { checkManifest } from "../../app/contract/check-manifest.ts";
import { modelTools } from "../../sdk/models/index.ts";
import { manifest } from "./manifest.ts";

it("declares every tool of the catalogue, as the hub and the client take it", () => {
  const text = JSON.stringify(manifest);
  expect(checkManifest(JSON.parse(text), text.length)).toMatchObject({
    ok: true,
    warnings: [],
  });
  expect(manifest.tools.map(({ name }) => name)).toEqual([...CATALOGUE.keys()]);
});

it("tells the model what each tool does, and each of its arguments", () => {
  const tools = modelTools(manifest);
  expect(tools.filter(({ description }) => description.split(" ").length < 3)).toEqual([]);
  const fetching = tools.find(({ name }) => name === "fetch_url");
  expect(Object.keys(fetching?.inputSchema.properties ?? {})).toEqual(
    expect.arrayContaining(["url", "method", "headers", "body"]),
  );
});
