import { protocol, type Session } from "electron";
import { type RendererFiles, rendererHeaders } from "../client/launch/renderer-files.ts";
import { appPathOf, SCHEME } from "./app-pages.ts";

/** Must run before Electron is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/** Serves the renderer to windows of `session`, and nothing else under the scheme. */
export function serveAppScheme(session: Session, files: RendererFiles): void {
  session.protocol.handle(SCHEME, (request) => {
    const path = appPathOf(request.url);
    const file = path === null || request.method !== "GET" ? undefined : files.get(path);
    // The headers allow no connections: the page reaches the program only through the preload's
    // IPC.
    if (file === undefined) {
      return new Response("not_found", { status: 404, headers: rendererHeaders("text/plain", []) });
    }
    return new Response(file.body, { headers: rendererHeaders(file.type, []) });
  });
}
