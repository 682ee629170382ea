import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { onTestFinished } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import type { LocaleName } from "../../i18n/index.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { forgetKept } from "../state/kept-state.ts";
import { createShownStore } from "../state/store.ts";

interface HostParts {
  /** What the host answers to a call; absent: nothing is asked of it. */
  readonly call?: (name: string, args: never) => Promise<unknown>;
  /** The part of the snapshot that what is drawn reads. */
  readonly snapshot?: object;
  readonly language?: LocaleName;
}

/** Draws a part of a page with a host and a language around it. */
export function drawInHost(part: ReactNode, { call, snapshot, language = "en" }: HostParts = {}) {
  onTestFinished(forgetKept);
  const store = createShownStore("connected");
  if (snapshot !== undefined) store.setState({ snapshot: snapshot as Snapshot });
  const bridge = { call } as unknown as ClientBridge;
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <HostProvider bridge={bridge} store={store}>
      <LanguageProvider language={language}>{children}</LanguageProvider>
    </HostProvider>
  );
  return { store, ...render(part, { wrapper }) };
}
