import { expect, test } from "vitest";
import { desktopTexts } from "./desktop-texts.ts";
import { drawTrayIcon, TRAY_ICON_SIDE } from "./tray-icon.ts";

test("the tray speaks the person's language, else the system's, else English", () => {
  expect(desktopTexts("zh-CN", ["en-GB"])("desktop.quit")).toBe("退出 Consentry");
  expect(desktopTexts(null, ["de-CH"])("desktop.quit")).toBe("Consentry beenden");
  expect(desktopTexts(null, ["zh-TW"])("desktop.open")).toBe("打开 Consentry");
  expect(desktopTexts(null, ["fr"])("desktop.open")).toBe("Open Consentry");
});

test("the tray's picture is a shield with a hole, on nothing", () => {
  const pixels = drawTrayIcon();
  const alphaAt = (x: number, y: number) => pixels[(y * TRAY_ICON_SIDE + x) * 4 + 3];
  expect(pixels).toHaveLength(TRAY_ICON_SIDE ** 2 * 4);
  expect([alphaAt(0, 0), alphaAt(15, 12), alphaAt(8, 8)]).toEqual([0, 0, 255]);
});
