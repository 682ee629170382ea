import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { autostartFile, autostartFolder, execLine } from "./autostart-file.ts";

const scratch = ScratchFolder.forEachTest();

/** A backslash of the quoting, as written in the file: values are escaped once more. */
const BACK = "\\\\";
const COMMAND = ["/opt/my electron", "/opt/main.js"];
const offered = (command: readonly string[] = COMMAND) => {
  const made = autostartFile(
    autostartFolder({ XDG_CONFIG_HOME: scratch.base }, "/nobody"),
    command,
  );
  if (made === null) throw new Error("not offered");
  return made;
};
const file = () => join(scratch.base, "autostart", "consentry.desktop");

test("the folder is the one the person set, else the usual one", () => {
  expect(autostartFolder({ XDG_CONFIG_HOME: "/set" }, "/home/kim")).toBe("/set/autostart");
  expect(autostartFolder({}, "/home/kim")).toBe("/home/kim/.config/autostart");
  expect(autostartFolder({ XDG_CONFIG_HOME: "rel" }, "/home/kim")).toBe(
    "/home/kim/.config/autostart",
  );
});

test("it is off at first, on once set, and off again without a trace", async () => {
  expect(offered().isOn()).toBe(false);
  await offered().set(true);
  expect(offered().isOn()).toBe(true);
  expect(readFileSync(file(), "utf8")).toBe(
    '[Desktop Entry]\nType=Application\nName=Consentry\nExec="/opt/my electron" "/opt/main.js"\nTerminal=false\n',
  );
  await offered().set(false);
  await offered().set(false);
  expect(offered().isOn()).toBe(false);
  expect(readdirSync(join(scratch.base, "autostart"))).toEqual([]);
});

test("a file that starts another program is off, and setting it starts this one", async () => {
  await offered(["/elsewhere/electron"]).set(true);
  expect(offered().isOn()).toBe(false);
  await offered().set(true);
  expect(offered().isOn()).toBe(true);
});

test("what the desktop's own settings switched off is off", async () => {
  for (const line of ["Hidden=true", "X-GNOME-Autostart-enabled=false"]) {
    await offered().set(true);
    appendFileSync(file(), `${line}\n`);
    expect(offered().isOn()).toBe(false);
  }
});

test("a folder that cannot be written rejects", async () => {
  writeFileSync(join(scratch.base, "autostart"), "a file");
  await expect(offered().set(true)).rejects.toThrow();
  expect(offered().isOn()).toBe(false);
});

test("nothing in a path is read as more than a path, and what would end the line is refused", () => {
  expect(execLine(['/a"b', "$c`d", "e\\f", "50%"])).toBe(
    ["Exec=", '"/a', BACK, '"b" "', BACK, "$c", BACK, '`d" "e', BACK, BACK, 'f" "50%%"'].join(""),
  );
  expect(execLine(["/a\nExec=/b"])).toBeNull();
  expect(autostartFile("/x", ["/a\u0000"])).toBeNull();
});
