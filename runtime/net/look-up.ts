import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { ownAddresses } from "./addresses.ts";

/** This machine's view of the network. */
export interface NetworkView {
  /** Every address of a name, in the order to try them. Rejects if it has none. */
  lookupAll(name: string): Promise<readonly string[]>;
  /** This computer's own addresses: even public ones lead back to its local services. */
  ownAddresses(): readonly string[];
}

export const systemNetwork: NetworkView = {
  async lookupAll(name) {
    const found = await lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  },
  ownAddresses,
};

/**
 * For `connect`: the addresses that `find` returns for a host, and no others. They are looked up
 * once and used as checked, so they cannot be rebound in between. `connect` looks up names only:
 * check a literal address beforehand.
 */
export const lookupBy =
  (find: (host: string) => Promise<readonly string[]>): LookupFunction =>
  (host, options, answer) => {
    find(host).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = all;
        if (first === undefined) answer(new Error("no_address"), "");
        else if (options.all === true) answer(null, all);
        else answer(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => answer(error, ""),
    );
  };
