import { expect, test } from "vitest";
import { systemTexts } from "../client/bridge/host-state.ts";
import { BADGE_SIDE, drawBadge, drawTrayIcon, TRAY_ICON_SIDE } from "./tray-icon.ts";

test("the tray speaks the person's language, else the system's, else English", () => {
  expect(systemTexts("zh-CN", ["en-GB"])("desktop.quit")).toBe("退出 Consentry");
  expect(systemTexts(null, ["de-CH"])("desktop.quit")).toBe("Consentry beenden");
  expect(systemTexts(null, ["zh-TW"])("desktop.open")).toBe("打开 Consentry");
  expect(systemTexts(null, ["fr"])("desktop.open")).toBe("Open Consentry");
});

test("the tray's picture is a shield with a hole, on nothing", () => {
  const pixels = drawTrayIcon();
  const alphaAt = (x: number, y: number) => pixels[(y * TRAY_ICON_SIDE + x) * 4 + 3];
  expect(pixels).toHaveLength(TRAY_ICON_SIDE ** 2 * 4);
  expect([alphaAt(0, 0), alphaAt(15, 12), alphaAt(8, 8)]).toEqual([0, 0, 255]);
});

test("while paused the shield is another one: two bars in place of the hole, and no color", () => {
  const pixels = drawTrayIcon(true);
  const at = (x: number, y: number) =>
    [...pixels.subarray((y * TRAY_ICON_SIDE + x) * 4)].slice(0, 4);
  expect([at(11, 15)[3], at(19, 15)[3], at(15, 12)[3]]).toEqual([0, 0, 255]);
  const [blue, green, red] = at(15, 12);
  expect([green, red]).toEqual([blue, blue]);
});

test("the dot beside an icon is round", () => {
  const pixels = drawBadge();
  const alphaAt = (x: number, y: number) => pixels[(y * BADGE_SIDE + x) * 4 + 3];
  expect([alphaAt(0, 0), alphaAt(8, 8), alphaAt(0, 8)]).toEqual([0, 255, 255]);
});
