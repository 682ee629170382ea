/** Width and height of the tray icon, in pixels. */
export const TRAY_ICON_SIDE = 32;

/**
 * A shield with a keyhole, drawn in code so that no picture file is needed at run time; grey and
 * with two bars while agents are paused. Returns premultiplied BGRA, row by row.
 */
export function drawTrayIcon(paused = false): Uint8Array {
  const color = paused ? PAUSED_BGRA : ACCENT_BGRA;
  const inHole = paused ? inBars : inKeyhole;
  const pixels = new Uint8Array(TRAY_ICON_SIDE * TRAY_ICON_SIDE * 4);
  for (let y = 0; y < TRAY_ICON_SIDE; y += 1) {
    for (let x = 0; x < TRAY_ICON_SIDE; x += 1) {
      if (inShield(x, y) && !inHole(x, y)) {
        pixels.set(color, (y * TRAY_ICON_SIDE + x) * 4);
      }
    }
  }
  return pixels;
}

const ACCENT_BGRA = [0xd6, 0x6a, 0x2f, 0xff] as const;
const PAUSED_BGRA = [0x80, 0x80, 0x80, 0xff] as const;
const BADGE_BGRA = [0x2f, 0x2f, 0xd6, 0xff] as const;

/** Width and height of the dot on an icon, in pixels. */
export const BADGE_SIDE = 16;

/** A round dot that says that something is waiting. Premultiplied BGRA, row by row. */
export function drawBadge(): Uint8Array {
  const pixels = new Uint8Array(BADGE_SIDE * BADGE_SIDE * 4);
  const middle = (BADGE_SIDE - 1) / 2;
  const radius = BADGE_SIDE / 2;
  for (let y = 0; y < BADGE_SIDE; y += 1) {
    for (let x = 0; x < BADGE_SIDE; x += 1) {
      if (Math.hypot(x - middle, y - middle) > radius) continue;
      pixels.set(BADGE_BGRA, (y * BADGE_SIDE + x) * 4);
    }
  }
  return pixels;
}

const inBars = (x: number, y: number): boolean =>
  y >= 9 && y <= 21 && [11.5, 19.5].some((middle) => Math.abs(x - middle) <= 2);

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
