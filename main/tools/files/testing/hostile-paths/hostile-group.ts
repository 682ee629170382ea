/**
 * What must become of a path: refused as text, refused for lying elsewhere, or taken as the very
 * name it spells, with nothing decoded, folded or resolved.
 */
export type PathVerdict = "invalid_path" | "outside_roots" | "literal";

/** Paths that are alike. `<root>` stands for the agent's folder, `<base>` for the one around it. */
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
/** Plain names elsewhere, refused where Windows' rules hold. */
export const REFUSED_ON_WINDOWS: Verdicts = { ...LITERAL, win32: "invalid_path" };
/** For POSIX the path of something elsewhere; for Windows no path at all. */
export const ELSEWHERE_OR_REFUSED: Verdicts = { ...ELSEWHERE, win32: "invalid_path" };
