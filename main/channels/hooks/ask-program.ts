import type { Socket } from "node:net";
import { bodyOf, localRequestError, replyTo, requestLocally } from "../local/local-request.ts";
import type { HookForm, Unheard } from "./hook-answer.ts";
import { type HookPlace, hookAccess } from "./hook-place.ts";

type Heard = { readonly said: string } | { readonly unheard: Unheard };

/** The program, whose own limit is the same, gets this long to say that time is up, in milliseconds. */
const GRACE_MS = 1_000;

/**
 * Hands the program what an agent handed its hook. Where the program is not heard, the answer is no; what that takes
 * is loaded only then.
 * @param limitMs milliseconds after which a question without an answer is denied
 * @returns the answer in that form; empty for a report. Never rejects for what the program does
 */
export async function askProgram(
  place: HookPlace,
  form: HookForm,
  bytes: Uint8Array,
  limitMs: number,
): Promise<string> {
  let end = () => {};
  const late = Promise.withResolvers<Heard>();
  const timer = setTimeout(() => late.resolve({ unheard: "no_answer" }), limitMs + GRACE_MS);
  const opened = (socket: Socket) => {
    end = () => socket.destroy();
  };
  const asked = ask(place, form, bytes, limitMs, opened).catch((error: unknown): Heard => {
    if (localRequestError.is(error)) return { unheard: error.code };
    throw error;
  });
  try {
    const heard = await Promise.race([asked, late.promise]);
    if ("said" in heard) return heard.said;
    const { answerAlone } = await import("./answer-alone.ts");
    return answerAlone(place, form, bytes, heard.unheard);
  } finally {
    clearTimeout(timer);
    end();
  }
}

async function ask(
  place: HookPlace,
  form: HookForm,
  body: Uint8Array,
  limitMs: number,
  opened: (socket: Socket) => void,
): Promise<Heard> {
  const { address, token, name } = hookAccess(place);
  const path = `/hooks/${place.agent}/${form}`;
  const headers = {
    "Consentry-Name": encodeURIComponent(name),
    "Consentry-Limit-Ms": `${limitMs}`,
    "Consentry-Path": pathHeader(process.env),
  };
  const reply = await replyTo(
    await requestLocally(address, { path, token, headers, body, opened }),
  );
  if (reply.status === 200) return { said: await bodyOf(reply) };
  return { unheard: reply.status === 403 ? "unproven" : "other_version" };
}

const PATH_CHARS = 8 * 1024;

/**
 * The agent's own `PATH`, without the folders that an AppImage of ours puts before it, or npm where it starts us: its own
 * end with that of node-gyp. An agent that npm started keeps those.
 */
function pathHeader({ PATH = "", APPDIR, npm_lifecycle_script = "" }: NodeJS.ProcessEnv): string {
  const isOurs = APPDIR !== undefined && process.execPath.startsWith(`${APPDIR}/`);
  const all = PATH.split(":").filter((each) => !isOurs || !each.startsWith(APPDIR));
  const isNpms = /\bhook\b/.test(npm_lifecycle_script);
  const last = isNpms ? all.findIndex((each) => each.endsWith("/node-gyp-bin")) : -1;
  const path = encodeURI(all.slice(last + 1).join(":"));
  return path.length > PATH_CHARS ? "" : path;
}
