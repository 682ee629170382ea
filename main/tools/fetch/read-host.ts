import { hostOf } from "./check-target.ts";

/**
 * A host as the person typed it, spelled as the rules compare it: lower-case name, dotted IPv4, or
 * IPv6 without brackets. Null for anything else, an address with a path or a port included. Pure.
 */
export function readHost(typed: string): string | null {
  const text = typed.trim();
  const bracketed = text.includes(":") && !text.startsWith("[") ? `[${text}]` : text;
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]]+)$/iu.test(bracketed)) return null;
  const url = URL.parse(`http://${bracketed}/`);
  const host = url === null ? "" : hostOf(url);
  return host === "" || host.endsWith(".") ? null : host;
}
