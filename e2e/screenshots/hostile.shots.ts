import { join } from "node:path";
import { test } from "../support/fixtures.ts";
import { ALL_SCOPES } from "../support/manifest.ts";
import { shoot } from "./shoot.ts";

/** As long as a name may be, with what would turn it round. */
const NAME = "Ein\u202eAgent 的\u200b👩‍💻 with\u2067a name that goes on";

const MIXED = "Grüße, 世界, مرحبا بالعالم, สวัสดีชาวโลก, 👩‍👩‍👧‍👦 नमस्ते क्‍ष, שלום";
const OLD = `unchanged\nif (isAdmin) {\n${MIXED}\n\tend\n`;
const NEW = `unchanged\nif (isAdmin /* \u202e } \u2066if (true)\u2069 \u2066 */) {\n${MIXED}\u200b\n\tend\u00a0\u0007\n${"W".repeat(300)}\n`;

const PATH = `p\u0430yments-${"x".repeat(120)}\u202egpj.exe`;
const URL = "https://www.p\u0430ypal.com.evil-example.test/login?next=\u202egnp.a";
const FLAGS = Array.from({ length: 196 }, (_, at) => `--flag-${at}=${MIXED}`);

/** By their names, each with the tool that is called and its arguments in this folder. */
const scenesIn = (directory: string): readonly (readonly [string, string, object])[] => [
  ["write", "write_file", { path: join(directory, "old.txt"), content: NEW }],
  ["path", "read_file", { path: join(directory, PATH) }],
  ["host", "fetch_url", { url: URL }],
  ["argv", "run_command", { argv: ["git", "", "a\nb", "-\u200b-", ...FLAGS], directory }],
  ["long", "write_clipboard", { text: `${MIXED}\n`.repeat(220) }],
];

test("requests made to be misread", async ({ stage, interfaceLanguage }) => {
  const folder = stage.folderWith({ "old.txt": OLD });
  const { agent } = await stage.connectedAgent(ALL_SCOPES, NAME);
  for (const [name, tool, args] of scenesIn(folder)) {
    const call = agent.call(tool, args, { timeoutMs: 300_000 });
    const card = await stage.card();
    await shoot(stage.program.cards, interfaceLanguage, `hostile-${name}`);
    await card.getByTestId("consent-body").evaluate((body) => body.scrollTo(0, body.scrollHeight));
    await stage.press("consent-deny");
    await stage.noCard();
    await call;
  }
});
