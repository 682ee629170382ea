import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type HostError, hostError } from "./launch-options.ts";

interface RendererFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** The built files by URL path (`/index.html`, `/assets/x.js`; `/` is the main window). */
export type RendererFiles = ReadonlyMap<string, RendererFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/**
 * Reads the built renderer into memory, without the maps to its sources, which are twice as large.
 * Only names found here are ever served, so no request can name a path of the file system.
 *
 * @throws HostError `renderer_missing`
 */
export async function readRendererFiles(directory: URL): Promise<RendererFiles> {
  const root = fileURLToPath(directory);
  const names = (await fileNames(root)).filter((name) => extname(name) !== ".map");
  const files = new Map<string, RendererFile>(
    await Promise.all(
      names.map(async (name) => {
        const body = new Uint8Array(await readFile(join(root, name)));
        const type = TYPES[extname(name)] ?? "application/octet-stream";
        return [`/${name.replaceAll("\\", "/")}`, { body, type }] as const;
      }),
    ),
  );
  const index = files.get("/index.html");
  if (index === undefined) throw missing(root);
  return files.set("/", index);
}

async function fileNames(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length)
          .replace(/^[\\/]/, ""),
      );
  } catch {
    throw missing(root);
  }
}

function missing(root: string): HostError {
  return hostError("renderer_missing", {
    message: `The built pages are missing from ${root}; build first.`,
  });
}

/**
 * The headers of every answer, in both hosts.
 *
 * @param connect sources for the policy's `connect-src`; empty lets the page connect nowhere
 */
export function rendererHeaders(
  type: string,
  connect: readonly string[],
): Readonly<Record<string, string>> {
  return {
    "Content-Type": type,
    "Content-Security-Policy": contentSecurityPolicy(connect),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
    // Asset names contain a digest, but the program may be a different version at the next start.
    "Cache-Control": type.startsWith("text/html") ? "no-store" : "no-cache",
  };
}

function contentSecurityPolicy(connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    // Voice messages that the page itself holds; no address of anybody else's.
    "media-src blob:",
    `connect-src ${connect.length === 0 ? "'none'" : connect.join(" ")}`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const DENIED_FEATURES = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "storage-access",
  "usb",
  "window-management",
  "xr-spatial-tracking",
] as const;

const PERMISSIONS_POLICY = [
  "clipboard-read=(self)",
  "clipboard-write=(self)",
  // The browser still asks the person; Electron's windows are refused every permission.
  "geolocation=(self)",
  // The same; Electron's main window gets it while the person records.
  "microphone=(self)",
  ...DENIED_FEATURES.map((feature) => `${feature}=()`),
].join(", ");
