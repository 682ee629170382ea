import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What a script of the owner's gets from the program that runs on this data folder. */
export async function ownerToken(dataDir: string): Promise<string> {
  const args = ["run", "--silent", "hub", "--", "token", "--data-dir", dataDir];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: ROOT });
  return stdout.trim();
}

/** Another client of the person's, which has that token. @returns the answer's data */
export async function asOwner<Data>(
  hub: string,
  token: string,
  path: string,
  body: object,
  method = "POST",
): Promise<Data> {
  const answer = await fetch(new URL(path, hub), {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the hub answered ${answer.status}`);
  return ((await answer.json()) as { data: Data }).data;
}
