import type { KeyMark } from "../../app/contract/key-mark.ts";
import { Icon } from "./icon.tsx";

const SIDE = 5;
const HALF = 3;

/**
 * A pattern drawn from the key: two agents with the same name look different, one without a
 * known key is blank, and a program on this computer, which has none, is drawn as such. It is decoration; the fingerprint in letters is what people compare.
 */
export function AgentPicture({ mark }: { readonly mark: KeyMark }) {
  if (mark.kind !== "known") {
    return (
      <span className="agent-picture" data-key={mark.kind} aria-hidden="true">
        {mark.kind === "none" ? <Icon name="program" /> : null}
      </span>
    );
  }
  const digits = mark.fingerprint.replaceAll(" ", "");
  const cells: string[] = [];
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < HALF; column += 1) {
      const digit = Number.parseInt(digits.charAt(row * HALF + column), 16);
      if (!(digit >= 8)) continue;
      cells.push(`M${column} ${row}h1v1h-1z`);
      // The right half mirrors the left one; the middle column has no counterpart.
      if (column < HALF - 1) cells.push(`M${SIDE - 1 - column} ${row}h1v1h-1z`);
    }
  }
  const hue = Math.round((Number.parseInt(digits.slice(-2), 16) * 360) / 256);
  return (
    <svg
      className="agent-picture"
      viewBox={`-1 -1 ${SIDE + 2} ${SIDE + 2}`}
      style={{ color: `light-dark(oklch(48% 0.11 ${hue}), oklch(78% 0.1 ${hue}))` }}
      aria-hidden="true"
      focusable="false"
    >
      <path d={cells.join("")} />
    </svg>
  );
}
