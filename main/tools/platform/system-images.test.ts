import { describe, expect, it } from "vitest";
import { FakePrograms, present } from "./testing/fake-programs.ts";

const POSIX = process.platform !== "win32";
const never = new AbortController().signal;
const programs = FakePrograms.forEachTest();

describe.skipIf(!POSIX)("images by the system's programs", () => {
  const images = (os: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) =>
    present(programs.services(os, env).clipboardImages());

  it("asks Wayland for its types first, then for the image alone", async () => {
    programs.add("wl-copy");
    const types = (list: string) =>
      programs.add(
        "wl-paste",
        `process.stdout.write(process.argv[2] === "--list-types" ? "${list}" : "PNG!");`,
      );
    types("text/html\\nimage/png\\n");
    const clipboard = images("linux", { WAYLAND_DISPLAY: "w" });
    expect(await clipboard.read(never)).toEqual(Buffer.from("PNG!"));
    expect(programs.recorded("wl-paste").argv).toEqual(["--no-newline", "--type", "image/png"]);
    types("text/html\\nimage/png2\\n");
    expect(await clipboard.read(never)).toBeNull();
    programs.add("wl-paste", "process.exit(1);");
    expect(await clipboard.read(never)).toBeNull();
    await clipboard.write(Buffer.from("PNG?"), never);
    expect(programs.recorded("wl-copy")).toMatchObject({
      argv: ["--type", "image/png"],
      stdin: "PNG?",
    });
  });

  it("reads no more of an image than a result could carry", async () => {
    programs.add("wl-copy");
    programs.add(
      "wl-paste",
      `if (process.argv[2] === "--list-types") process.stdout.write("image/png\\n");
       else for (;;) fs.writeSync(1, Buffer.alloc(65536));`,
    );
    const reading = images("linux", { WAYLAND_DISPLAY: "w" }).read(never);
    await expect(reading).rejects.toMatchObject({ code: "too_large" });
  });

  it("carries images as base64 on macOS, never as part of the script", async () => {
    programs.add("osascript", `process.stdout.write("UE5HIQ==\\n");`);
    expect(await images("darwin").read(never)).toEqual(Buffer.from("PNG!"));
    programs.add("osascript", `process.stdout.write("\\n");`);
    expect(await images("darwin").read(never)).toBeNull();
    programs.add("osascript", `process.stdout.write("no base64");`);
    await expect(images("darwin").read(never)).rejects.toMatchObject({ code: "not_an_image" });
    await images("darwin").write(Buffer.from("PNG?"), never);
    const { argv, stdin } = programs.recorded("osascript");
    expect(stdin).toBe("UE5HPw==");
    expect(argv.join(" ")).not.toContain("UE5HPw");
  });

  it("knows no images where only xsel is", () => {
    programs.add("xsel");
    expect(programs.services("linux", { DISPLAY: ":0" }).clipboardImages()).toBeNull();
    expect(programs.services("linux", { DISPLAY: ":0" }).clipboard()).not.toBeNull();
  });
});
