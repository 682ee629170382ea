import type { FetchUrlArguments, FetchUrlResult } from "../../app/contract/tools/fetch-url.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import { bodyText } from "./fetch/body-text.ts";
import { checkTarget, hostOf, isOwnNetwork } from "./fetch/check-target.ts";
import { type Followed, follow } from "./fetch/follow.ts";
import { firstRequest } from "./fetch/request.ts";
import { type NetworkView, systemNetwork } from "./fetch/resolve-host.ts";
import { shownHeaders } from "./fetch/response-headers.ts";
import { platformCall } from "./platform-call.ts";

export interface FetchUrlOptions {
  /** This machine's, unless a test says otherwise. */
  readonly network?: NetworkView;
}

/**
 * `fetch_url` (contract §4). Result: `FetchUrlResult`. Reaches the public internet and the hosts
 * that the person allowed this agent, nothing else (threats: SSRF): `access_denied` then, and
 * `network_error` when nothing whole came back. The person is asked about a host only when the
 * call itself names it: a redirect cannot ask.
 */
export function fetchUrlTool(options: FetchUrlOptions = {}): Tool {
  const { network = systemNetwork } = options;
  return {
    available: () => true,
    preflight: (args, { hosts }) => {
      const { url } = args as FetchUrlArguments;
      const target = checkTarget(url, null, () => true);
      if (target === null) return { kind: "refuse", word: "access_denied" };
      const host = hostOf(target);
      const known = !isOwnNetwork(host) || hosts.some((allowed) => allowed.host === host);
      return known ? null : { kind: "host_wanted", host };
    },
    run: (args, { hosts, signal, progress }) =>
      platformCall("network_error", signal, async () => {
        // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
        const given = args as FetchUrlArguments;
        const allowed = (host: string): boolean => hosts.includes(host);
        const url = checkTarget(given.url, null, allowed);
        if (url === null) throw new ToolFailure("access_denied");
        const bytes = (done: number) => progress({ done, total: null, unit: "bytes" });
        const parts = { network, allowed, signal, progress: bytes };
        return { ...resultOf(await follow(firstRequest(url, given), parts)) };
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
