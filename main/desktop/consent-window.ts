import { type BrowserWindow, screen } from "electron";

/** Pixels between the window and the edges of the screen. */
const MARGIN = 24;

export interface ConsentWindow {
  /** @param arrived true when a request came that was not waiting before */
  waiting(count: number, arrived: boolean): void;
  /** The person asked for it: it comes with the keyboard, if anything waits. */
  bringUp(): void;
}

/**
 * Comes to the front without taking the keyboard from what the person types in,
 * and goes when nothing waits. Closing it answers nothing.
 */
export function keepConsentWindow(window: BrowserWindow): ConsentWindow {
  window.on("close", (event) => {
    event.preventDefault();
    window.hide();
  });
  let waits = 0;
  return {
    waiting(count, arrived) {
      waits = count;
      if (count === 0) window.hide();
      else if (arrived && !window.isVisible()) {
        placeInCorner(window);
        window.showInactive();
      }
    },
    bringUp() {
      if (waits > 0 && !window.isDestroyed()) window.show();
    },
  };
}

/** On the screen the person works on, away from its middle. */
function placeInCorner(window: BrowserWindow): void {
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const { width } = window.getBounds();
  window.setPosition(workArea.x + workArea.width - width - MARGIN, workArea.y + MARGIN);
}
