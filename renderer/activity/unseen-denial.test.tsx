// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { GridList } from "react-aria-components";
import { afterEach, expect, test } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import type { DecidedBy } from "../../app/contract/tool-call.ts";
import { lineView } from "../../main/client/conversations/item-views.ts";
import { CallEntry } from "../conversations/call-entry.tsx";
import { RecentActivity } from "../home/home.tsx";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider, useTexts } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { logRow } from "./log-row.tsx";
import { RowDetails } from "./row-details.tsx";
import { sampleRow } from "./testing/sample-log.ts";

afterEach(cleanup);

const denied = (decided_by: DecidedBy) =>
  sampleRow(1, { status: "denied", reason: "user_refused", decided_by });

function Line({ row }: { readonly row: ReturnType<typeof denied> }) {
  const texts = useTexts();
  return <GridList aria-label="log">{logRow(row, texts, new Map())}</GridList>;
}

const DIRECT = { kind: "direct", agent_ids: [], members: [] } as unknown as ConversationView;

const PLACES = {
  "a line of the log": (row: ReturnType<typeof denied>) => <Line row={row} />,
  "its details": (row: ReturnType<typeof denied>) => (
    <RowDetails row={row} onClose={() => {}} onNarrow={() => {}} />
  ),
  Home: () => <RecentActivity />,
  "the card in its conversation": (row: ReturnType<typeof denied>) => (
    <CallEntry item={lineView(row)} view={DIRECT} />
  ),
};

function said(place: keyof typeof PLACES, decided_by: DecidedBy): string {
  const row = denied(decided_by);
  const store = createShownStore("connected");
  store.setState({ snapshot: { agents: [] as Snapshot["agents"] } as Snapshot, recent: [row] });
  render(
    <HostProvider bridge={{} as ClientBridge} store={store}>
      <LanguageProvider language="en">{PLACES[place](row)}</LanguageProvider>
    </HostProvider>,
  );
  const folded = screen.queryByTestId("call-open");
  if (folded !== null) fireEvent.click(folded);
  return document.body.textContent ?? "";
}

const places = Object.keys(PLACES) as (keyof typeof PLACES)[];

test.each(places)("%s says that the person denied what they denied", (place) => {
  expect(said(place, "person")).toContain("You denied it");
});

const OTHERS = [
  ["paused", "All agents were paused"],
  ["hands_off", "Hands off: denied"],
  ["rule", "Your rule"],
] as const;

test.each(places.flatMap((place) => OTHERS.map((other) => [place, ...other] as const)))(
  "%s does not say that they denied what was decided by %s",
  (place, decided_by, words) => {
    const text = said(place, decided_by);
    expect(text).toContain(words);
    expect(text).not.toContain("You denied it");
  },
);
