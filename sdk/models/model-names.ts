/** What every model API takes as a tool's name: Anthropic's and OpenAI's rule. */
const REFUSED = /[^A-Za-z0-9_-]/g;
const MAX_CHARS = 64;

/**
 * A name for each tool that model APIs take: its own where that will do, else the nearest one that is
 * not taken. No two are alike.
 */
export function modelNames(names: readonly string[]): ReadonlyMap<string, string> {
  const isFit = (name: string) => name !== "" && nearest(name) === name;
  const taken = new Set(names.filter(isFit));
  const mapped = new Map<string, string>();
  for (const name of names) {
    if (mapped.has(name)) continue;
    const fit = isFit(name) ? name : free(nearest(name) || "tool", taken);
    taken.add(fit);
    mapped.set(name, fit);
  }
  return mapped;
}

const nearest = (name: string): string => name.replace(REFUSED, "_").slice(0, MAX_CHARS);

function free(name: string, taken: ReadonlySet<string>): string {
  for (let count = 2, each = name; ; count += 1) {
    if (!taken.has(each)) return each;
    const ending = `_${count}`;
    each = name.slice(0, MAX_CHARS - ending.length) + ending;
  }
}
