import { type Session, systemPreferences } from "electron";
import type { Microphone } from "../client/host-port.ts";
import { isPageOf } from "./app-pages.ts";

export interface MicrophoneGate extends Microphone {
  readonly isOpen: boolean;
}

/** @param now monotonic milliseconds */
export function microphoneGate(now: () => number): MicrophoneGate {
  let until = Number.NEGATIVE_INFINITY;
  return {
    open(ms) {
      until = now() + ms;
    },
    close() {
      until = Number.NEGATIVE_INFINITY;
    },
    get isOpen() {
      return now() < until;
    },
  };
}

interface Asked {
  readonly isMainFrame: boolean;
  readonly requestingUrl?: string;
  readonly mediaTypes?: readonly string[];
  readonly mediaType?: string;
}

/**
 * Denies every permission, except the microphone alone to the main window's own page while the person
 * records. macOS then asks the person itself, the first time.
 */
export function guardPermissions(session: Session, gate: Pick<MicrophoneGate, "isOpen">): void {
  const isAllowed = (permission: string, asked: Asked): boolean => {
    const { isMainFrame, requestingUrl = "", mediaTypes, mediaType = "unknown" } = asked;
    const wanted = mediaTypes ?? [mediaType];
    const isSound = wanted.length > 0 && wanted.every((each) => each === "audio");
    const isOurs = isMainFrame && isPageOf("main", requestingUrl);
    return permission === "media" && isSound && isOurs && gate.isOpen;
  };
  session.setPermissionRequestHandler((_contents, permission, answer, asked) => {
    if (!isAllowed(permission, asked)) answer(false);
    else if (process.platform !== "darwin") answer(true);
    else systemPreferences.askForMediaAccess("microphone").then(answer, () => answer(false));
  });
  session.setPermissionCheckHandler((_contents, permission, _origin, asked) =>
    isAllowed(permission, asked),
  );
  session.setDevicePermissionHandler(() => false);
}
