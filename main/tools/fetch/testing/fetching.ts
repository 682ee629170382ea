import { type NetworkHost, networkHostOf } from "../../../../app/contract/network-host.ts";
import type {
  FetchUrlArguments,
  FetchUrlResult,
} from "../../../../app/contract/tools/fetch-url.ts";
import type { ToolProgress } from "../../../../app/execution/ports.ts";
import type { NetworkView } from "../../../../runtime/net/addresses.ts";
import { fetchUrlTool } from "../../fetch-url.ts";
import { toolContext } from "../../testing/tool-context.ts";

/** For tests: the tool on a network where `addresses[name]` is all that exists. */
export interface Fetching {
  /** Hosts that the person allowed; a bare name means the URL's own port. Default: 127.0.0.1. */
  readonly allow?: readonly (string | NetworkHost)[];
  readonly wholeScope?: boolean;
  readonly ownPorts?: readonly number[];
  /** The resolver's answers, in order; the last one is repeated. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly own?: readonly string[];
  readonly signal?: AbortSignal;
  readonly progress?: (report: ToolProgress) => void;
}

export function fakeNetwork({ names = {}, own = [] }: Fetching): NetworkView & {
  readonly asked: readonly string[];
} {
  const asked: string[] = [];
  return {
    asked,
    async lookupAll(name) {
      asked.push(name);
      const answers = names[name] ?? [];
      const nth = asked.filter((one) => one === name).length - 1;
      const answer = answers[nth] ?? answers.at(-1);
      if (answer === undefined) throw new Error(`no such host: ${name}`);
      return answer;
    },
    ownAddresses: () => own,
  };
}

export async function fetching(
  args: FetchUrlArguments,
  more: Fetching = {},
  network: NetworkView = fakeNetwork(more),
): Promise<FetchUrlResult> {
  const { port } = networkHostOf(new URL(args.url));
  const { allow = ["127.0.0.1"], signal = new AbortController().signal } = more;
  const { progress = () => {}, wholeScope = false, ownPorts = [] } = more;
  const hosts = allow.map((one) => (typeof one === "string" ? { host: one, port } : one));
  const context = toolContext({ hosts, whole_scope: wholeScope, signal, progress });
  const tool = fetchUrlTool({ network, ownPorts: () => ownPorts });
  const result: unknown = await tool.run({ ...args }, context);
  return result as FetchUrlResult;
}

/** The word that a fetch fails with, or its result. */
export async function wordOf(fetched: Promise<unknown>): Promise<unknown> {
  return fetched.catch((error: { readonly code?: unknown }) => error.code);
}
