import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { PersonView } from "../../../app/protocol/v1/account-rest.ts";
import { type HubRequest, hubRequest, hubRestError } from "../../channels/hub-rest.ts";
import { trustSystemCertificates } from "../../channels/hub-transport.ts";
import { dataFolder } from "./data-folder.ts";
import { type Outputs, ownerToken } from "./owner-token.ts";

export const PEOPLE_COMMANDS = ["invite", "people", "suspend", "restore", "remove"] as const;

const USAGE = `Manages who has an account at the hub that runs:
  hub invite NAME [--owner] [--data-dir FOLDER]    prints a link that works once, within a week
  hub people [--data-dir FOLDER]                   lists id, name, role and status
  hub suspend|restore|remove ID [--data-dir FOLDER]`;

interface Command {
  readonly name: string;
  readonly about: string;
  readonly owner: boolean;
  readonly dataDir: string;
}

/** @returns exit code: 0, 1 when nothing runs or the hub refuses, 2 for words it does not take */
export async function runPeople(
  argv: readonly string[],
  { stdout, stderr }: Outputs,
): Promise<0 | 1 | 2> {
  const command = read(argv);
  if (command === null) {
    stderr(USAGE);
    return 2;
  }
  const token = await ownerToken(command.dataDir);
  if (token === null) {
    stderr(`Nothing was done (not_running): no hub that takes it runs on ${command.dataDir}.`);
    return 1;
  }
  const url = readFileSync(join(command.dataDir, "hub.url"), "utf8").trim();
  if (url.startsWith("https:")) trustSystemCertificates();
  try {
    for (const line of await carriedOut(
      command,
      url,
      hubRequest(url, async () => token),
    )) {
      stdout(line);
    }
    return 0;
  } catch (error) {
    if (!hubRestError.is(error)) throw error;
    stderr(`Nothing was done (${error.code}).`);
    return 1;
  }
}

function read(argv: readonly string[]): Command | null {
  try {
    const options = { owner: { type: "boolean" }, "data-dir": { type: "string" } } as const;
    const { values, positionals } = parseArgs({
      args: [...argv],
      options,
      allowPositionals: true,
    });
    const [name = "", about = "", ...more] = positionals;
    const { owner = false, "data-dir": folder = null } = values;
    const isWhole = (about === "") === (name === "people") && more.length === 0;
    if (!isWhole || (owner && name !== "invite")) return null;
    return { name, about, owner, dataDir: dataFolder(folder) };
  } catch {
    return null;
  }
}

/** @returns what is printed. @throws HubRestError */
async function carriedOut(
  { name, about, owner }: Command,
  url: string,
  request: HubRequest,
): Promise<readonly string[]> {
  const person = `/people/${encodeURIComponent(about)}`;
  switch (name) {
    case "invite": {
      const body = { name: about, role: owner ? "owner" : "member" };
      const made = await request<{ invitation: string }>("POST", "/people/invitations", body);
      // Behind the #: no server, proxy or log on the way gets it.
      return [`${url}/#${made.invitation}`];
    }
    case "remove":
      return [lineOf(await request<PersonView>("DELETE", person))];
    case "people":
      return (await request<readonly PersonView[]>("GET", "/people")).map(lineOf);
    default:
      return [lineOf(await request<PersonView>("POST", `${person}/${name}`))];
  }
}

const lineOf = ({ user_id, name, role, status }: PersonView): string =>
  [user_id, name, role, status].join("\t");
