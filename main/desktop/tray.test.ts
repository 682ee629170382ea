import { expect, test } from "vitest";
import { drawTrayIcon, TRAY_ICON_SIDE } from "./tray-icon.ts";
import { trayTexts } from "./tray-texts.ts";

test("the tray speaks the person's language, else the system's, else English", () => {
  expect(trayTexts("zh-CN", ["en-GB"]).quit).toBe("退出 Consentry");
  expect(trayTexts(null, ["zh-TW"]).open).toBe("打开 Consentry");
  expect(trayTexts(null, ["fr"]).open).toBe("Open Consentry");
});

test("the tray's picture is a shield with a hole, on nothing", () => {
  const pixels = drawTrayIcon();
  const alphaAt = (x: number, y: number) => pixels[(y * TRAY_ICON_SIDE + x) * 4 + 3];
  expect(pixels).toHaveLength(TRAY_ICON_SIDE ** 2 * 4);
  expect([alphaAt(0, 0), alphaAt(15, 12), alphaAt(8, 8)]).toEqual([0, 0, 255]);
});
