import type { JsonObject } from "../../app/contract/json.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import type { Sensitivity } from "../../app/contract/scopes.ts";

/** Without a schema, any arguments fit. */
type ToolTerms = readonly [scope: string, sensitivity: Sensitivity, schema?: JsonObject];

/** An agent's manifest with these tools. */
export function manifestOf(tools: Readonly<Record<string, ToolTerms>>): Manifest {
  const levels = new Map(Object.values(tools).map(([scope, level]) => [scope, level]));
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: Object.entries(tools).map(([name, [permission_scope, , schema]]) => ({
      name,
      description_i18n_key: `agent.tools.${name}.desc`,
      description_fallback: name,
      input_schema: schema ?? { type: "object" },
      permission_scope,
    })),
    permission_scopes: [...levels].map(([id, sensitivity]) => ({
      id,
      label_i18n_key: `agent.scopes.${id}.label`,
      label_fallback: id,
      sensitivity,
    })),
  };
}
