import { CATALOGUE } from "../../../app/contract/catalogue.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { catalogueManifest } from "../mcp/catalogue-manifest.ts";

/** The tools that agents' own ones are read as. */
const HOOKED = [
  "read_file",
  "list_directory",
  "write_file",
  "edit_file",
  "fetch_url",
  "run_command",
];

/** What an agent with hooks may ask for. Which of it is granted, the person says. */
export function hookManifest(): Manifest {
  const { tools, permission_scopes, ...manifest } = catalogueManifest();
  const scopes = HOOKED.map((name) => CATALOGUE.get(name)?.scope);
  return {
    ...manifest,
    tools: tools.filter(({ name }) => HOOKED.includes(name)),
    permission_scopes: permission_scopes.filter(({ id }) => scopes.includes(id)),
  };
}
