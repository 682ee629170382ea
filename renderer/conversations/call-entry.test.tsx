// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { CallItem, ConversationView } from "../../app/bridge/conversation-views.ts";
import { cardOf } from "../consent/testing/drawn-card.tsx";
import { receivedDenials } from "../state/store.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { CallEntry } from "./call-entry.tsx";

afterEach(cleanup);

const { request_id, call_id, agent_id, tool_name, scope } = cardOf();
const WAITING: CallItem = {
  kind: "call",
  item_id: "w1",
  at: 0,
  line_id: null,
  request_id,
  call_id,
  agent_id,
  tool_name,
  scope,
  status: "waiting",
  reason: null,
  error_code: null,
  decided_by: "person",
  ended_at: null,
};

test("a call whose denial can still be taken back is shown as denied, and as waiting once it was", () => {
  const { store } = drawInHost(
    <CallEntry
      item={WAITING}
      view={{ kind: "direct", agent_ids: [], members: [] } as unknown as ConversationView}
    />,
    { snapshot: { agents: [], running: [] } },
  );
  const hold = (denials: Parameters<typeof receivedDenials>[0]) =>
    act(() => store.setState({ denials: receivedDenials(denials, 0) }));
  const card = screen.getByTestId("call-entry");
  expect(card.textContent).toContain("Nothing runs until you answer");

  hold([{ card: cardOf({ request_id: "another" }), leaves_in_ms: 5_000 }]);
  expect(card.dataset.status).toBe("waiting");

  hold([{ card: cardOf(), leaves_in_ms: 5_000 }]);
  expect(card.dataset.status).toBe("denied");
  fireEvent.click(screen.getByTestId("call-open"));
  expect(card.textContent).toContain("You denied it");
  expect(card.textContent).not.toContain("Nothing runs until you answer");

  hold([]);
  expect(card.dataset.status).toBe("waiting");
  expect(card.textContent).toContain("Nothing runs until you answer");
});

test("a call that runs says so, and for how long", () => {
  drawInHost(
    <CallEntry
      item={{ ...WAITING, status: "running", at: Date.now() - 60_000 }}
      view={{ kind: "direct", agent_ids: [], members: [] } as unknown as ConversationView}
    />,
    { snapshot: { agents: [], running: [] } },
  );
  expect(screen.getByTestId("call-entry").textContent).toContain("Running");
  expect(screen.getByTestId("call-elapsed").textContent).toContain("1 min");
});

test("a folded call that failed says why", () => {
  drawInHost(
    <CallEntry
      item={{
        ...WAITING,
        status: "error",
        error_code: "TOOL_PLATFORM_ERROR",
        reason: "not_found",
        line_id: 1,
        ended_at: 1,
      }}
      view={{ kind: "direct", agent_ids: [], members: [] } as unknown as ConversationView}
    />,
    { snapshot: { agents: [], running: [] } },
  );
  expect(screen.getByTestId("call-why").textContent).toBe("Not found");
  expect(screen.getByTestId("call-open").getAttribute("aria-expanded")).toBe("false");
});
