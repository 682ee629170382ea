import { type NetworkHost, networkHostOf } from "../../../../app/contract/network-host.ts";
import type {
  FetchUrlArguments,
  FetchUrlResult,
} from "../../../../app/contract/tools/fetch-url.ts";
import type { ToolProgress } from "../../../../app/execution/ports.ts";
import type { NetworkView } from "../../../../net/look-up.ts";
import { fetchUrlTool } from "../../fetch-url.ts";
import { toolContext } from "../../testing/tool-context.ts";

/** For tests: the tool with a network where every name is `addresses[name]`, else unknown. */
export interface Fetching {
  /** Hosts the person allowed, a bare name with the URL's own port; 127.0.0.1 when absent. */
  readonly allow?: readonly (string | NetworkHost)[];
  readonly wholeScope?: boolean;
  readonly ownPorts?: readonly number[];
  /** Answers of the resolver, in order; the last one stays. */
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

/** The word a fetch fails with, or what it was answered with when it does not fail. */
export async function wordOf(fetched: Promise<unknown>): Promise<unknown> {
  return fetched.catch((error: { readonly word?: unknown }) => error.word);
}
