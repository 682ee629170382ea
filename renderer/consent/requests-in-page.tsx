import type { ReactNode } from "react";
import { useAct, useShown } from "../host-context.tsx";
import { ConsentLayer } from "./consent-layer.tsx";
import { DeniedNote } from "./denied-note.tsx";
import { usePresence } from "./use-presence.ts";
import { WaitingBar } from "./waiting-bar.tsx";

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
  return (
    <>
      {children(presence === "later" ? <WaitingBar onShow={() => choose("modal")} /> : null)}
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
  return children(<WaitingBar onShow={() => void act("consent.show", {})} />);
}
