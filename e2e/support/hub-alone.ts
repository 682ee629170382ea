import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../scripts/hub.ts", import.meta.url));

/**
 * The token that the owner's other programs use: `npm run hub` writes it on a data folder whose program
 * does not run. It is valid for minutes, at the program's own hub too.
 */
export async function ownerToken(dataDir: string): Promise<string> {
  const args = [SCRIPT, "--data-dir", dataDir, "--listen", "127.0.0.1:0"];
  const hub = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => hub.once("close", resolve));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(hub.stdout).once("line", resolve);
    hub.once("close", (code) => reject(new Error(`the hub ended with ${code}`)));
  });
  const { owner_token_file } = JSON.parse(line) as { owner_token_file: string };
  const token = readFileSync(owner_token_file, "utf8").trim();
  hub.kill("SIGTERM");
  await ended;
  return token;
}

/** Another client of the person's, which has that token. @returns the answer's data */
export async function asOwner<Data>(
  hub: string,
  token: string,
  path: string,
  body: object,
): Promise<Data> {
  const answer = await fetch(new URL(path, hub), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the hub answered ${answer.status}`);
  return ((await answer.json()) as { data: Data }).data;
}
