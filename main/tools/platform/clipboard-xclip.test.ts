import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIPBOARD_IMAGE_MAX_BYTES } from "../../../app/contract/tools/clipboard-image-limits.ts";
import type { PlatformServices } from "./platform-services.ts";
import { systemPrograms } from "./system-programs.ts";
import { testPng } from "./testing/test-png.ts";
import { installed, startXServer, type XServer } from "./testing/x-server.ts";

const server = installed("Xvfb");
const never = new AbortController().signal;

// Skipped without Xvfb or xclip; system-programs.test.ts checks how the programs are called.
describe.skipIf(server === null || installed("xclip") === null)("the clipboard of a real X", () => {
  let x: XServer;
  let services: PlatformServices;

  beforeAll(async () => {
    x = await startXServer(server ?? "");
    const env = { PATH: process.env.PATH, DISPLAY: x.display };
    const host = { opened: () => {}, ended: never };
    services = systemPrograms(host, { os: "linux", env });
  });
  // The programs that own the selection end together with the server.
  afterAll(() => x.close());

  it("holds no image at first, nor once there is text on it", async () => {
    expect(await services.clipboardImages()?.read(never)).toBeNull();
    await services.clipboard()?.write("né", never);
    expect(await services.clipboardImages()?.read(never)).toBeNull();
    expect(await services.clipboard()?.read(never)).toBe("né");
  });

  it("gives an image back byte for byte, up to the limit", async () => {
    const largest = Buffer.alloc(CLIPBOARD_IMAGE_MAX_BYTES);
    testPng(8, 8).copy(largest);
    for (const png of [testPng(320, 200), largest]) {
      await services.clipboardImages()?.write(png, never);
      const read = await services.clipboardImages()?.read(never);
      expect(Buffer.from(read ?? []).equals(png)).toBe(true);
    }
  });
});
