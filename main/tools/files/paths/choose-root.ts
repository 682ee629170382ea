import { isUtf8 } from "node:buffer";
import { realpath, stat, statfs } from "node:fs/promises";
import { homedir } from "node:os";
import type { ToolFailureWord } from "../../../../app/contract/codes.ts";
import type { FolderLink } from "../../../../app/grants/grant.ts";
import { errnoWord } from "../opening/safe-open.ts";
import {
  checkPath,
  formatPath,
  isKernelFileSystem,
  isKernelPlace,
  pathPlatform,
} from "./path-rules.ts";

export type RootChoice =
  | {
      readonly path: string;
      /** What was typed, where links lead from it to the folder. */
      readonly link?: FolderLink;
    }
  | { readonly word: ToolFailureWord };

const PLATFORM = pathPlatform(process.platform);

/**
 * Turns what the person typed or picked into the real directory it refers to now, with every link
 * resolved; that is stored as the root. Refuses anything that is no directory, a whole volume, and
 * the kernel's own folders. Only a leading `~/` is expanded. Never rejects.
 */
export async function resolveRoot(typed: string, home: string = homedir()): Promise<RootChoice> {
  const wanted = checkPath(tidy(typed, home), PLATFORM);
  if (!wanted.ok) return { word: wanted.word };
  try {
    return await settle(formatPath(wanted.path, PLATFORM));
  } catch (error) {
    return { word: errnoWord(error) };
  }
}

async function settle(path: string): Promise<RootChoice> {
  // Checked first: `/proc/<pid>/root` and the like must not even be resolved.
  if (isKernelPlace(path, PLATFORM)) return { word: "access_denied" };
  const bytes = await realpath(path, { encoding: "buffer" });
  // A root is stored as text; a name that is not UTF-8 would be stored as a different folder.
  if (!isUtf8(bytes)) return { word: "invalid_path" };
  const real = bytes.toString("utf8");
  if (!checkPath(real, PLATFORM).ok) return { word: "invalid_path" };
  if (isKernelPlace(real, PLATFORM)) return { word: "access_denied" };
  if (!(await stat(real)).isDirectory()) return { word: "not_a_directory" };
  const { type } = await statfs(real);
  const kernels = process.platform === "linux" && isKernelFileSystem(type);
  if (kernels) return { word: "access_denied" };
  return real === path ? { path } : { path: real, link: { at: path, to: real } };
}

/** A person may end a folder's name with separators; an agent may not. */
function tidy(typed: string, home: string): string {
  const expanded = /^~[\\/]/u.test(typed) ? `${home}/${typed.slice(2)}` : typed;
  return PLATFORM === "win32" ? expanded.replace(/[\\/]+$/u, "") : expanded.replace(/\/+$/u, "");
}
