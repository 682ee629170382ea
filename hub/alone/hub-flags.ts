import { parseArgs } from "node:util";

export interface HubFlags {
  /** 0 = any free one. */
  readonly port: number;
  readonly dataDir: string;
}

export type HubFlagFault = "bad_flag" | "data_dir_missing" | "listen_malformed" | "host_refused";

/** Flags the hub does not take; the message is a sentence for the person who typed them. */
export class HubFlagError extends Error {
  override readonly name = "HubFlagError";
  readonly code: HubFlagFault;
  constructor(code: HubFlagFault, message: string) {
    super(message);
    this.code = code;
  }
}

const USUAL = "127.0.0.1:4800";

export const HUB_USAGE = `The hub takes these flags:
  --data-dir FOLDER       where its data is
  --listen ADDRESS:PORT   where agents connect; without it, ${USUAL}; port 0: any free
  --help                  prints this`;

/** @throws HubFlagError */
export function readHubFlags(argv: readonly string[]): HubFlags {
  const values = parse(argv);
  const dataDir = values["data-dir"];
  if (dataDir === undefined || dataDir === "") {
    throw new HubFlagError("data_dir_missing", "--data-dir names the folder the hub keeps all in");
  }
  return { port: portOf(values.listen ?? USUAL), dataDir };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: { listen: { type: "string" }, "data-dir": { type: "string" } },
    }).values;
  } catch (error) {
    const said = error instanceof Error ? error.message : "unreadable flags";
    throw new HubFlagError("bad_flag", `${said}\n${HUB_USAGE}`);
  }
}

function portOf(text: string): number {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new HubFlagError("listen_malformed", `--listen takes an address such as ${USUAL}`);
  }
  // It uses plain HTTP, and anybody who reaches it may pair, so it serves this machine only.
  if (host !== "127.0.0.1") {
    throw new HubFlagError("host_refused", "the hub listens on 127.0.0.1 and nowhere else");
  }
  return Number(port);
}
