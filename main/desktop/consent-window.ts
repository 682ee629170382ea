import { type BrowserWindow, screen } from "electron";
import type { RequestsWindow } from "../client/host-port.ts";

/** Distance between the window and the edges of the screen, in pixels. */
const MARGIN = 24;

export interface ConsentWindow extends RequestsWindow {
  /**
   * @param arrived true if a request arrived that was not waiting before
   * @param held denials that can still be taken back; while only these are left, the window stays
   */
  waiting(count: number, arrived: boolean, held: number): void;
}

/**
 * Comes to the front without taking the focus from what the person is typing in, and disappears
 * when nothing is waiting. Closing it answers nothing.
 */
export function keepConsentWindow(window: BrowserWindow): ConsentWindow {
  window.on("close", (event) => {
    event.preventDefault();
    window.hide();
  });
  let waits = 0;
  return {
    waiting(count, arrived, held) {
      waits = count + held;
      if (waits === 0) window.hide();
      else if (count === 0 && window.isFocused()) {
        // Hiding gives the keyboard back to what the person was typing in.
        window.hide();
        window.showInactive();
      } else if (arrived && !window.isVisible()) {
        placeInCorner(window);
        window.showInactive();
      }
    },
    // The person asked for it, so it takes the focus.
    show() {
      if (waits > 0 && !window.isDestroyed()) window.show();
    },
    putOff: () => window.hide(),
  };
}

/** On the screen that the person is using, in its corner. */
function placeInCorner(window: BrowserWindow): void {
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const { width } = window.getBounds();
  window.setPosition(workArea.x + workArea.width - width - MARGIN, workArea.y + MARGIN);
}
