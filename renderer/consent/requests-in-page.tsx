import { type ReactNode, useCallback, useState } from "react";
import { useAct, useShown } from "../host-context.tsx";
import { Palette } from "../palette/palette.tsx";
import { ConsentLayer } from "./consent-layer.tsx";
import { DeniedNote } from "./denied-note.tsx";
import { usePresence } from "./use-presence.ts";
import { WaitingBar } from "./waiting-bar.tsx";

const NOTHING = (): void => {};

interface WithRequestsProps {
  /** The page, with what stands above it while requests wait. */
  readonly children: (bar: ReactNode) => ReactNode;
}

/** The browser host: requests are in the page itself, unless the person put them off. */
export function RequestsInPage({ children }: WithRequestsProps) {
  const act = useAct();
  const waiting = useShown((shown) => shown.consents);
  const denials = useShown((shown) => shown.denials);
  const { presence, choose } = usePresence(waiting);
  // Commands come over the page. Cards that are there make room at the edge, and stay in sight.
  const [madeRoom, setMadeRoom] = useState(false);
  const onOpen = useCallback(() => {
    const isOver = presence === "modal" && waiting.length > 0;
    setMadeRoom(isOver);
    if (isOver) choose("docked");
  }, [presence, waiting, choose]);
  return (
    <>
      {children(presence === "later" ? <WaitingBar onShow={() => choose("modal")} /> : null)}
      <Palette
        onOpen={onOpen}
        onLeave={() => madeRoom && choose("modal")}
        showRequests={() => choose("modal")}
      />
      <ConsentLayer presence={presence} choose={choose} />
      <DeniedNote
        denials={denials}
        onUndo={(request_id) => void act("consent.undo", { request_id })}
      />
    </>
  );
}

/** The desktop host: they have a window of their own. */
export function RequestsElsewhere({ children }: WithRequestsProps) {
  const act = useAct();
  const show = (): void => void act("consent.show", {});
  return (
    <>
      {children(<WaitingBar onShow={show} />)}
      <Palette onOpen={NOTHING} onLeave={NOTHING} showRequests={show} />
    </>
  );
}
