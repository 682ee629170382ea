import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** A real message bus of the test's own. */
export interface BusDaemon {
  readonly address: string;
  /** Its own, gone when it is closed. */
  readonly folder: string;
  close(): Promise<void>;
}

/** False where this machine has no dbus-daemon. */
export const hasBusDaemon = spawnSync("dbus-daemon", ["--version"]).status === 0;

const config = (socket: string): string => `<!DOCTYPE busconfig PUBLIC
 "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

/** Ends what a test started. Vitest's by default. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** @param atEnd closes it when the test has finished */
export async function startBusDaemon(atEnd: AtEnd = onTestFinished): Promise<BusDaemon> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "consentry-bus-")));
  const socket = join(folder, "bus");
  writeFileSync(join(folder, "bus.conf"), config(socket));
  const argv = [`--config-file=${join(folder, "bus.conf")}`, "--nofork", "--print-address"];
  const child = spawn("dbus-daemon", argv, { stdio: ["ignore", "pipe", "ignore"] });
  // It listens once it has printed where.
  await once(createInterface(child.stdout), "line");
  const close = async () => {
    const ended = once(child, "close");
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  atEnd(close);
  return { address: `unix:path=${socket}`, folder, close };
}
