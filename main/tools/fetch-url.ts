import { isIP } from "node:net";
import { isSameHost, type NetworkHost, networkHostOf } from "../../app/contract/network-host.ts";
import { type FetchUrlResult, fetchUrl } from "../../app/contract/tools/fetch-url.ts";
import { type Tool, toolFailure } from "../../app/execution/ports.ts";
import { isThisComputer, type NetworkView, systemNetwork } from "../../runtime/net/addresses.ts";
import { defineTool } from "./define-tool.ts";
import { checkTarget, type Followed, follow, isOwnNetwork } from "./fetch/follow.ts";
import { bodyText, firstRequest, shownHeaders } from "./fetch/request.ts";
import { platformCall } from "./platform/platform-services.ts";

export interface FetchUrlOptions {
  /** The TCP ports that this program listens on at that moment. */
  readonly ownPorts: () => readonly number[];
  /** Default: this machine's network. */
  readonly network?: NetworkView;
}

/**
 * `fetch_url` (contract §4). Reaches the public internet and the hosts that the person allowed for
 * this agent, but never this program (threats: SSRF). Otherwise it fails with `access_denied`; with
 * `network_error` if no complete response arrived. The person is asked about a host only if the
 * call itself names it: a redirect cannot ask.
 */
export function fetchUrlTool({ network = systemNetwork, ownPorts }: FetchUrlOptions): Tool {
  return defineTool(fetchUrl, {
    preflight: ({ url }, { hosts }) => {
      const target = checkTarget(url, null, () => true);
      if (target === null) return { kind: "refuse", word: "access_denied" };
      const host = networkHostOf(target);
      const isOurs = ownPorts().includes(host.port) && isNamedHere(host.host, network);
      if (isOurs) return { kind: "refuse", word: "access_denied" };
      const known = !isOwnNetwork(host.host) || hosts.some((allowed) => isSameHost(allowed, host));
      return known ? null : { kind: "host_wanted", host };
    },
    run: (given, { hosts, whole_scope, signal, progress }) =>
      platformCall("network_error", signal, async () => {
        const allowed = (host: NetworkHost): boolean => hosts.some((one) => isSameHost(one, host));
        const url = checkTarget(given.url, null, allowed);
        if (url === null) throw toolFailure("access_denied");
        const bytes = (done: number) => progress({ done, total: null, unit: "bytes" });
        const reach = { network, ownPorts, allowed, anyPublicHost: whole_scope };
        const followed = await follow(firstRequest(url, given), {
          ...reach,
          signal,
          progress: bytes,
        });
        return resultOf(followed);
      }),
  });
}

/** Whether the name itself means this computer; other names are only known after the look-up. */
const isNamedHere = (host: string, network: NetworkView): boolean =>
  isIP(host) === 0
    ? /(?:^|\.)localhost$/u.test(host)
    : isThisComputer(host, network.ownAddresses());

function resultOf({ status, headers, bytes, decoded, url }: Followed): FetchUrlResult {
  return {
    status_code: status,
    headers: shownHeaders(headers, decoded),
    ...bodyText(bytes, headers.get("content-type")),
    url: url.href,
  };
}
