import { EventEmitter } from "node:events";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { startControlServer } from "./control-server.ts";
import { preventable } from "./preventable.ts";
import { record } from "./record.ts";
import { closeStage, stage } from "./stage.ts";

/** Plays an installed program, whose archive would be in this folder. */
const RESOURCES = process.env.ELECTRON_DOUBLE_RESOURCES;
if (RESOURCES !== undefined) {
  Object.assign(process, { resourcesPath: RESOURCES });
  // Nobody names the entry of an installed program when it is started.
  process.argv.splice(1, 1);
}

class AppDouble extends EventEmitter {
  readonly isPackaged = RESOURCES !== undefined;
  #ready: Promise<void> | undefined;

  whenReady(): Promise<void> {
    this.#ready ??= ready();
    return this.#ready;
  }

  /** Programs that serve others have no windows to draw. */
  disableHardwareAcceleration(): void {
    record({ what: "app.disableHardwareAcceleration" });
  }

  enableSandbox(): void {
    record({ what: "app.enableSandbox" });
  }

  setPath(name: string, path: string): void {
    record({ what: "app.setPath", detail: { name, path } });
  }

  /** Any folder that is there: what is saved goes where the test says. */
  getPath(_name: string): string {
    return tmpdir();
  }

  setBadgeCount(count: number): boolean {
    record({ what: "app.setBadgeCount", detail: count });
    return true;
  }

  getPreferredSystemLanguages(): string[] {
    return ["en-US"];
  }

  quit(): void {
    const event = preventable();
    this.emit("before-quit", event);
    if (!event.defaultPrevented) this.exit(0);
  }

  exit(code = 0): void {
    const end = () => {
      this.emit("quit", preventable(), code);
      process.exit(code);
    };
    closeStage().then(end, end);
  }
}

export const app = new AppDouble();

async function ready(): Promise<void> {
  const { cdp } = await stage();
  const file = process.env.ELECTRON_DOUBLE_CDP_FILE;
  if (file === undefined) return;
  const control = await startControlServer(app);
  await writeFile(file, JSON.stringify({ cdp, control }));
}
