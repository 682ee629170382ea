/** Side of the tray's picture, in pixels. */
export const TRAY_ICON_SIDE = 32;

/**
 * A shield with a keyhole, drawn here so that no picture file has to be found at run time.
 * Returns premultiplied BGRA, row by row.
 */
export function drawTrayIcon(): Uint8Array {
  const pixels = new Uint8Array(TRAY_ICON_SIDE * TRAY_ICON_SIDE * 4);
  for (let y = 0; y < TRAY_ICON_SIDE; y += 1) {
    for (let x = 0; x < TRAY_ICON_SIDE; x += 1) {
      if (inShield(x, y) && !inKeyhole(x, y)) {
        pixels.set(ACCENT_BGRA, (y * TRAY_ICON_SIDE + x) * 4);
      }
    }
  }
  return pixels;
}

const ACCENT_BGRA = [0xd6, 0x6a, 0x2f, 0xff] as const;

function inShield(x: number, y: number): boolean {
  const fromMiddle = Math.abs(x - 15.5);
  if (y < 3 || y > 29) return false;
  return y < 15 ? fromMiddle <= 11 : fromMiddle <= 11 * Math.cos(((y - 15) / 14) * (Math.PI / 2));
}

function inKeyhole(x: number, y: number): boolean {
  const round = Math.hypot(x - 15.5, y - 12) <= 3.6;
  const slot = Math.abs(x - 15.5) <= 1.6 && y >= 12 && y <= 20;
  return round || slot;
}
