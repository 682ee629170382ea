/**
 * What must happen to a path: refused as text, refused for lying elsewhere, or used exactly as
 * written, with nothing decoded, folded or resolved.
 */
export type PathVerdict = "invalid_path" | "outside_roots" | "literal";

/** Similar paths. `<root>` stands for the agent's folder, `<base>` for its parent. */
export interface HostileGroup {
  readonly about: string;
  readonly posix: PathVerdict;
  readonly darwin: PathVerdict;
  readonly win32: PathVerdict;
  readonly paths: readonly string[];
}

type Verdicts = Pick<HostileGroup, "posix" | "darwin" | "win32">;

const all = (verdict: PathVerdict): Verdicts => ({
  posix: verdict,
  darwin: verdict,
  win32: verdict,
});

export const REFUSED = all("invalid_path");
export const ELSEWHERE = all("outside_roots");
export const LITERAL = all("literal");
/** Plain names on other systems, but refused by Windows' rules. */
export const REFUSED_ON_WINDOWS: Verdicts = { ...LITERAL, win32: "invalid_path" };
/** On POSIX a path outside the root; on Windows no valid path. */
export const ELSEWHERE_OR_REFUSED: Verdicts = { ...ELSEWHERE, win32: "invalid_path" };
