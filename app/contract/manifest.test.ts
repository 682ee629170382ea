import type { Static } from "typebox";
import { expectTypeOf, it } from "vitest";
import type {
  CapabilityFlags,
  CapabilityFlagsSchema,
  ManifestScope,
  ManifestTool,
  ManifestToolSchema,
  OwnScopeSchema,
} from "./manifest.ts";

// The SDK exports these types, so they name no package; the compiler compares them with the schemas.
it("a manifest's types are those of its schemas", () => {
  expectTypeOf<ManifestTool>().toEqualTypeOf<Readonly<Static<typeof ManifestToolSchema>>>();
  expectTypeOf<CapabilityFlags>().toEqualTypeOf<Readonly<Static<typeof CapabilityFlagsSchema>>>();
  type OwnScope = Readonly<Static<typeof OwnScopeSchema>>;
  expectTypeOf<
    ManifestScope & { readonly label_fallback: string }
  >().branded.toEqualTypeOf<OwnScope>();
});
