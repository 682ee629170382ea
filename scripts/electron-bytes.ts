import type { InstallerReport } from "./fetch-electron.ts";

/**
 * Imported before Electron's installer, in its process: reports each piece it downloads, and a server or network that
 * refuses. The installer itself shows nothing for 30 s, and waits without end for a server that says nothing.
 */
const real = globalThis.fetch;
const report = (what: InstallerReport): void => void process.send?.(what);

/** A name without address, a closed port, a network that is not there. */
const REFUSALS: readonly unknown[] = [
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "EACCES",
];

globalThis.fetch = async (input, init) => {
  const host = new URL(input instanceof Request ? input.url : input).host;
  const response = await real(input, init).catch((error: unknown) => {
    const cause = error instanceof Error ? error.cause : null;
    const code = cause instanceof Error && "code" in cause ? cause.code : null;
    if (REFUSALS.includes(code)) report({ refused: `${host} cannot be reached (${code})` });
    throw error;
  });
  if (!response.ok) report({ refused: `${host} answered ${response.status}` });
  const length = response.headers.get("content-length");
  const total = length === null ? null : Number(length);
  let got = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, out) {
        got += piece.byteLength;
        report({ got, total });
        out.enqueue(piece);
      },
    }),
  );
  return new Response(counted, response);
};
