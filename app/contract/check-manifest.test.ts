import { describe, expect, it } from "vitest";
import { checkManifest, readManifest } from "./check-manifest.ts";
import { digestOf } from "./digest.ts";
import type { JsonValue } from "./json.ts";
import { MANIFEST_PROBLEMS, MANIFEST_WARNINGS } from "./manifest-remarks.ts";
import {
  manifest,
  problemsOf,
  SCOPE,
  TOOL,
  warningsOf,
  without,
  withScope,
  withTool,
} from "./testing/manifest-forms.ts";

describe("a manifest that is right", () => {
  it("passes without a word, with the hash of its RFC 8785 form", () => {
    const value = manifest({ extra: { kept: true }, capability_flags: { supports_voice: true } });
    expect(checkManifest(value, 1_000)).toEqual({
      ok: true,
      value,
      manifest: value,
      hash: digestOf(value),
      warnings: [],
    });
  });

  it("may have no tools and no scopes", () => {
    expect(problemsOf(manifest({ tools: [], permission_scopes: [] }))).toEqual([]);
  });
});

describe("what is only warned of", () => {
  it.each<[string, JsonValue | undefined]>([
    ["absent", undefined],
    ["true", true],
    ["a schema", { type: "string" }],
  ])("additionalProperties %s", (_name, additionalProperties) => {
    const input_schema = without({ type: "object", additionalProperties });
    expect(warningsOf(withTool({ input_schema }))).toEqual([
      [`${TOOL}/input_schema/additionalProperties`, "additional_properties_open"],
    ]);
  });

  it("a preset scope below its preset sensitivity; not one above it", () => {
    expect(warningsOf(withScope({ sensitivity: "low" }))).toEqual([
      [`${SCOPE}/sensitivity`, "preset_sensitivity_lowered", "medium"],
    ]);
    expect(warningsOf(withScope({ sensitivity: "high" }))).toEqual([]);
  });

  it("a tool that the catalogue does not have; an alias is in it", () => {
    expect(warningsOf(withTool({ name: "make_coffee" }))).toEqual([
      [`${TOOL}/name`, "tool_not_in_catalogue", "make_coffee"],
    ]);
    expect(warningsOf(withTool({ name: "fetch_web_page" }))).toEqual([]);
  });

  it("65,536 bytes and more", () => {
    expect(warningsOf(manifest(), 65_535)).toEqual([]);
    expect(warningsOf(manifest(), 65_536)).toEqual([["", "manifest_large"]]);
  });
});

describe("a manifest as sent", () => {
  const encoder = new TextEncoder();
  /** The manifest's bytes, padded to a size with white space, which counts ("as sent"). */
  const sized = (bytes: number): Uint8Array =>
    encoder.encode(JSON.stringify(manifest()).padEnd(bytes, " "));

  it("passes at 131,072 bytes with a warning, and is too large at 131,073", () => {
    expect(readManifest(sized(131_072))).toMatchObject({
      ok: true,
      hash: digestOf(manifest()),
      warnings: [{ pointer: "", code: "manifest_large" }],
    });
    expect(readManifest(sized(131_073))).toEqual({
      ok: false,
      value: null,
      problems: [{ pointer: "", code: "MANIFEST_TOO_LARGE" }],
      warnings: [],
    });
  });

  it("is warned of from 65,536 bytes", () => {
    expect(readManifest(sized(65_535)).warnings).toEqual([]);
    expect(readManifest(sized(65_536)).warnings).toEqual([{ pointer: "", code: "manifest_large" }]);
  });

  it.each([
    ["{", "syntax"],
    ['{"tools":[],"tools":[]}', "duplicate_key"],
    ['{"x":9007199254740993}', "unsafe_integer"],
    ["[".repeat(65) + "]".repeat(65), "too_deep"],
  ])("that is not strict JSON is refused: %s", (text, detail) => {
    expect(readManifest(encoder.encode(text))).toEqual({
      ok: false,
      value: null,
      problems: [{ pointer: "", code: "not_strict_json", detail }],
      warnings: [],
    });
  });

  it("is deeply frozen once read", () => {
    const verdict = readManifest(encoder.encode(JSON.stringify(manifest())));
    expect(verdict.ok && Object.isFrozen(verdict.manifest.tools[0]?.input_schema)).toBe(true);
  });
});

it("no two remarks share a code", () => {
  const codes = [...MANIFEST_PROBLEMS, ...MANIFEST_WARNINGS];
  expect(new Set(codes).size).toBe(codes.length);
});
