import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScratchFolder } from "../../../testing/scratch-folder.ts";
import { systemPrograms } from "../system-programs.ts";

const HOST = { opened: () => {}, ended: new AbortController().signal };

/** How a program was called. */
interface Recorded {
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly env: readonly string[];
}

/** A folder of programs that stand in for the system's, and what the services make of them. */
export class FakePrograms extends ScratchFolder {
  /** A program that records how it was called, then does what `body` says. */
  add(name: string, body = ""): void {
    const record = JSON.stringify(join(this.base, `${name}.json`));
    const script = `#!${process.execPath}
    const fs = require("node:fs");
    const stdin = fs.readFileSync(0, "utf8");
    fs.writeFileSync(${record} + ".part", JSON.stringify(
      { argv: process.argv.slice(2), stdin, env: Object.keys(process.env) }));
    fs.renameSync(${record} + ".part", ${record});
    ${body}`;
    writeFileSync(join(this.base, name), script);
    chmodSync(join(this.base, name), 0o755);
  }

  recorded(name: string): Recorded {
    return JSON.parse(readFileSync(join(this.base, `${name}.json`), "utf8")) as Recorded;
  }

  services(os: NodeJS.Platform, env: NodeJS.ProcessEnv) {
    return systemPrograms(HOST, { os, env: { PATH: this.base, ...env } });
  }
}

/** @throws if the service is missing */
export function present<T>(service: T | null): T {
  if (service === null) throw new Error("the service should be there");
  return service;
}
