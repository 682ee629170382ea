import type { FetchUrlArguments, FetchUrlResult } from "../../app/contract/tools/fetch-url.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import { bodyText } from "./fetch/body-text.ts";
import { checkTarget } from "./fetch/check-target.ts";
import { type Followed, follow } from "./fetch/follow.ts";
import { firstRequest } from "./fetch/request.ts";
import { type NetworkView, systemNetwork } from "./fetch/resolve-host.ts";
import { shownHeaders } from "./fetch/response-headers.ts";
import { platformCall } from "./platform-call.ts";

/**
 * Whether the person allowed an agent a host that the rules refuse. `host` is exact: a lower-case
 * name, dotted IPv4, or IPv6 without brackets. In the preflight nobody says which agent calls;
 * `agentId` is null then, and the answer is whether any agent may.
 */
export type AllowHost = (host: string, agentId: string | null) => boolean;

export interface FetchUrlOptions {
  /** Never, where absent. */
  readonly allowHost?: AllowHost;
  /** This machine's, unless a test says otherwise. */
  readonly network?: NetworkView;
}

/**
 * `fetch_url` (contract §4). Result: `FetchUrlResult`. Reaches the public internet alone (threats:
 * SSRF): `access_denied` for anything else, `network_error` when nothing whole came back.
 */
export function fetchUrlTool(options: FetchUrlOptions = {}): Tool {
  const { allowHost = () => false, network = systemNetwork } = options;
  return {
    available: () => true,
    preflight: (args) => {
      const { url } = args as FetchUrlArguments;
      const target = checkTarget(url, null, (host) => allowHost(host, null));
      return target === null ? { kind: "refuse", word: "access_denied" } : null;
    },
    run: (args, { agent_id, signal }) =>
      platformCall("network_error", signal, async () => {
        // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
        const given = args as FetchUrlArguments;
        const allowed = (host: string): boolean => allowHost(host, agent_id);
        const url = checkTarget(given.url, null, allowed);
        if (url === null) throw new ToolFailure("access_denied");
        return {
          ...resultOf(await follow(firstRequest(url, given), { network, allowed, signal })),
        };
      }),
  };
}

function resultOf({ status, headers, bytes, decoded, url }: Followed): FetchUrlResult {
  return {
    status_code: status,
    headers: shownHeaders(headers, decoded),
    ...bodyText(bytes, headers.get("content-type")),
    url: url.href,
  };
}
