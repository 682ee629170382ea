import type { ShippedPackage } from "./shipped-packages.ts";

interface Described {
  readonly version: string;
  /** Of the Electron in the app. */
  readonly electron: string;
}

/** What the app is made of, in CycloneDX's form (specification 1.6). */
export function sbom(
  { version, electron }: Described,
  packages: readonly ShippedPackage[],
): string {
  const runtime = { name: "electron", version: electron, license: "MIT" };
  // A version that is installed in two places is listed once.
  const listed = [runtime, ...packages].map((each) => {
    const component = componentOf(each);
    return [component.purl, component] as const;
  });
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `consentry@${version}`,
        name: "consentry",
        version,
        licenses: [{ expression: "Apache-2.0" }],
      },
    },
    components: [...new Map(listed).values()],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function componentOf({ name, version, license }: Omit<ShippedPackage, "folder">) {
  // As the specification of package URLs writes npm's scopes.
  const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    licenses: [{ expression: license }],
  };
}
