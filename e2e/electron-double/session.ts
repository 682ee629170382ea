import { record } from "./record.ts";

type Serve = (request: Request) => Response | Promise<Response>;

interface AskedPermission {
  readonly isMainFrame: boolean;
  readonly requestingUrl: string;
  readonly mediaTypes: readonly string[];
}
type PermissionHandler = (
  contents: unknown,
  permission: string,
  answer: (allowed: boolean) => void,
  asked: AskedPermission,
) => void;

/** A session as main/desktop uses one: its protocol, and its permission handlers. */
export class Session {
  readonly #schemes = new Map<string, Serve>();
  readonly protocol = {
    handle: (scheme: string, serve: Serve): void => {
      this.#schemes.set(scheme, serve);
    },
  };

  #decide: PermissionHandler = (_contents, _permission, answer) => answer(true);

  setPermissionRequestHandler(handler: PermissionHandler): void {
    record({ what: "session.setPermissionRequestHandler" });
    this.#decide = handler;
  }

  /** What the handler answers a page that asks for this. */
  allows(contents: unknown, permission: string, asked: AskedPermission): Promise<boolean> {
    return new Promise((answer) => this.#decide(contents, permission, answer, asked));
  }

  setPermissionCheckHandler(_handler: unknown): void {
    record({ what: "session.setPermissionCheckHandler" });
  }

  setDevicePermissionHandler(_handler: unknown): void {
    record({ what: "session.setDevicePermissionHandler" });
  }

  /** What the scheme's handler answers, or null when nobody handles it. */
  async serve(url: string, method: string): Promise<Response | null> {
    const serve = this.#schemes.get(url.slice(0, url.indexOf(":")));
    return serve === undefined ? null : serve(new Request(url, { method }));
  }
}

const partitions = new Map<string, Session>();

export const session = {
  fromPartition(name: string): Session {
    const found = partitions.get(name) ?? new Session();
    partitions.set(name, found);
    return found;
  },
};

export const protocol = {
  registerSchemesAsPrivileged(schemes: unknown): void {
    record({ what: "protocol.registerSchemesAsPrivileged", detail: schemes });
  },
};
