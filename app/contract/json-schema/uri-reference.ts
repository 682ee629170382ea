interface UriParts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

/** RFC 3986 appendix B, without the fragment. Every text matches. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/;

function split(uri: string): UriParts {
  const [, scheme, authority, path = "", query] = PARTS.exec(uri) ?? [];
  return { scheme, authority, path, query };
}

function join({ scheme, authority, path, query }: UriParts): string {
  const start = scheme === undefined ? "" : `${scheme}:`;
  const host = authority === undefined ? "" : `//${authority}`;
  return `${start}${host}${path}${query === undefined ? "" : `?${query}`}`;
}

/** RFC 3986 §5.2.4 for a path whose segments are already apart. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === "..") {
      if (kept.length > 1) kept.pop();
      if (last) kept.push("");
    } else if (segment !== ".") {
      kept.push(segment);
    } else if (last) {
      kept.push("");
    }
  }
  return kept.join("/");
}

function merge(base: UriParts, path: string): string {
  if (base.authority !== undefined && base.path === "") return `/${path}`;
  return `${base.path.slice(0, base.path.lastIndexOf("/") + 1)}${path}`;
}

/** RFC 3986 §5.2.2 without fragments: both sides and the answer have none. */
function resolve(base: string, reference: string): string {
  const from = split(base);
  const to = split(reference);
  if (to.scheme !== undefined) return join({ ...to, path: withoutDots(to.path) });
  if (to.authority !== undefined) {
    return join({ ...to, scheme: from.scheme, path: withoutDots(to.path) });
  }
  const { scheme, authority } = from;
  if (to.path === "") return join({ ...from, query: to.query ?? from.query });
  const path = to.path.startsWith("/") ? to.path : merge(from, to.path);
  return join({ scheme, authority, path: withoutDots(path), query: to.query });
}

/** The absolute URI a reference names, and its fragment as written (no `#`; "" when absent). */
export function resolveReference(
  base: string,
  reference: string,
): { readonly uri: string; readonly fragment: string } {
  const hash = reference.indexOf("#");
  const plain = hash === -1 ? reference : reference.slice(0, hash);
  return { uri: resolve(base, plain), fragment: hash === -1 ? "" : reference.slice(hash + 1) };
}
