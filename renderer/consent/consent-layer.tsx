import { useLayoutEffect, useMemo } from "react";
import { errorCode } from "../bridge/error-code.ts";
import { useAct, useHost, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { PauseButton } from "../parts/pause-button.tsx";
import { type PickingDoor, pickedFolder } from "../parts/picked-folder.ts";
import type { ConsentActions } from "./consent-card.tsx";
import { ConsentList } from "./consent-list.tsx";
import { useAnnounced } from "./use-announced.ts";
import { useSlots } from "./use-slots.ts";

/** The cards over the main window: a modal layer, for the browser host has no second window. */
export function ConsentLayer() {
  const { t } = useTexts();
  const act = useAct();
  const { bridge } = useHost();
  const waiting = useShown((shown) => shown.consents);
  const connected = useShown((shown) => shown.connection === "connected");
  const slots = useSlots(waiting);
  const hasPicker = useShown((shown) => shown.snapshot?.folder_picker === true);
  const actions = useMemo(() => consentActions(bridge, hasPicker), [bridge, hasPicker]);
  const notified = useShown((shown) => shown.snapshot?.settings.notifications === true);
  useAnnounced(waiting, notified);
  useFocusReturn(slots.length > 0);
  if (slots.length === 0) return null;
  return (
    <div
      className="consent-layer"
      role="dialog"
      aria-modal="true"
      aria-label={t("consent.layer")}
      data-closing={waiting.length === 0}
    >
      <ConsentList
        slots={slots}
        waiting={waiting}
        connected={connected}
        actions={actions}
        onDenyAll={(agent_id) => void act("consent.deny_all_from_agent", { agent_id })}
      />
      {/* The window behind is inert: an agent that asks without end must not keep the switch away. */}
      <div className="consent-foot">
        <PauseButton />
      </div>
    </div>
  );
}

/** Gives the keyboard back to where it was when the layer opened. */
function useFocusReturn(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) requestAnimationFrame(() => before.focus());
    };
  }, [open]);
}

/** Both doors have these calls. */
type ConsentDoor = AnsweringDoor & PickingDoor;

interface AnsweringDoor {
  call(name: "consent.opened", args: { request_id: string }): Promise<null>;
  call(
    name: "consent.answer",
    args: {
      request_id: string;
      answer: Parameters<ConsentActions["answer"]>[1];
      root_path?: string;
    },
  ): Promise<null>;
}

export const consentActions = (door: ConsentDoor, hasPicker: boolean): ConsentActions => ({
  pickFolder: hasPicker ? (startAt) => pickedFolder(door, startAt) : null,
  opened: async (request_id) => {
    try {
      await door.call("consent.opened", { request_id });
      return true;
    } catch {
      return false;
    }
  },
  answer: async (request_id, answer, root_path) => {
    try {
      await door.call("consent.answer", {
        request_id,
        answer,
        ...(root_path === undefined ? {} : { root_path }),
      });
      return null;
    } catch (error) {
      return errorCode(error);
    }
  },
});
