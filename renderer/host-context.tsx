import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { useStore } from "zustand";
import type { AgentDetails } from "../app/bridge/agent-views.ts";
import type { CallArgs, CallName } from "../app/bridge/calls.ts";
import type { BridgeErrorCode, ClientBridge } from "../app/bridge/client-bridge.ts";
import type { Snapshot } from "../app/bridge/views.ts";
import { errorCode } from "./bridge/page-bridge.ts";
import type { Shown, ShownStore } from "./state/store.ts";

interface Host {
  readonly bridge: ClientBridge;
  readonly store: ShownStore;
  /** The last failed call, until the person dismisses it. */
  readonly failure: BridgeErrorCode | null;
  readonly setFailure: (code: BridgeErrorCode | null) => void;
}

const HostContext = createContext<Host | null>(null);

interface HostProviderProps {
  readonly bridge: ClientBridge;
  readonly store: ShownStore;
  readonly children: ReactNode;
}

export function HostProvider({ bridge, store, children }: HostProviderProps) {
  const [failure, setFailure] = useState<BridgeErrorCode | null>(null);
  const host = useMemo(() => ({ bridge, store, failure, setFailure }), [bridge, store, failure]);
  return <HostContext value={host}>{children}</HostContext>;
}

export function useHost(): Host {
  const host = useContext(HostContext);
  if (host === null) throw new TypeError("used outside HostProvider");
  return host;
}

export const useShown = <T,>(select: (shown: Shown) => T): T => useStore(useHost().store, select);

/** The snapshot, for components that are only rendered once it exists. */
export function useSnapshot(): Snapshot {
  const snapshot = useShown((shown) => shown.snapshot);
  if (snapshot === null) throw new TypeError("used before the snapshot came");
  return snapshot;
}

/** Undefined: no agent of the person's, or no longer. */
export const useAgent = (id: string | null | undefined): AgentDetails | undefined =>
  useSnapshot().agents.find(({ agent_id }) => agent_id === id);

/** Reports a click to the host, and shows the person any failure. True if the host did it. */
export function useAct(): <C extends CallName>(name: C, args: CallArgs<C>) => Promise<boolean> {
  const { bridge, setFailure } = useHost();
  return useCallback(
    async (name, args) => {
      try {
        await bridge.call(name, args);
        setFailure(null);
        return true;
      } catch (error) {
        setFailure(errorCode(error));
        return false;
      }
    },
    [bridge, setFailure],
  );
}

/** Runs it whenever the connection to the host is there again. */
export function useReconnected(run: () => void): void {
  const connected = useShown((shown) => shown.connection === "connected");
  const before = useRef(connected);
  const reconnected = useEffectEvent(run);
  useEffect(() => {
    if (connected && !before.current) reconnected();
    before.current = connected;
  }, [connected]);
}
