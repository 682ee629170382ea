// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { PairingView } from "../../app/bridge/agent-views.ts";
import { createI18n } from "../../i18n/index.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { samplePairing } from "../testing/sample-pairing.ts";
import { PairingBar, PairingLayer, usePairingLayer } from "./pairing-layer.tsx";

afterEach(cleanup);

const { t } = createI18n("en");

const scope = (id: string, sensitivity: "low" | "high") => ({
  id,
  label_i18n_key: "",
  label_fallback: id,
  sensitivity,
  tools: [],
  needed: false,
  managed: null,
  said: { label: null, description: null, tools: [], more: 0 },
});

const LOCAL: PairingView = {
  ...samplePairing("Claude Code"),
  scopes: [scope("filesystem:read", "low"), scope("shell:exec", "high")],
  local: {
    asks: "connect",
    agent_id: null,
    same_as: null,
    program: {
      pid: 8,
      executable: "/usr/bin/node",
      folder: "/home/ada/code/shop",
      parents: [{ pid: 7, executable: "/usr/bin/claude" }],
      started_by: "/usr/bin/claude",
    },
    delivery: "hook",
    shows_code: false,
  },
};

const SNAPSHOT = {
  agents: [],
  keys: { agents: [], pairings: [], restart_needed: false },
  sample_agent: { state: "idle", code: null },
};

function Page() {
  const pairings = usePairingLayer();
  return (
    <>
      <textarea aria-label="words" />
      <PairingBar {...pairings} />
      <PairingLayer {...pairings} />
    </>
  );
}

function drawPage() {
  const answers: unknown[] = [];
  const call = async (name: string, args: unknown) => void answers.push([name, args]);
  const drawn = drawInHost(<Page />, { call, snapshot: { ...SNAPSHOT, pairings: [] } });
  const ask = (...pairings: readonly PairingView[]) =>
    act(() => drawn.store.setState({ snapshot: { ...SNAPSHOT, pairings } as never }));
  return { ask, answers };
}

test("a program on this computer asks with its name, its project and one sentence", () => {
  const { ask } = drawPage();
  ask(LOCAL);
  const card = screen.getByTestId("pairing-card");
  expect(card.querySelector("h2")?.textContent).toBe("Let Claude Code ask you here?");
  expect(screen.getByText(/It works in .home.ada.code.shop\./)).toBeTruthy();
  // The rest is folded.
  expect(screen.getByText("/usr/bin/node").closest("[hidden]")).not.toBeNull();
  expect(screen.queryByTestId("pairing-code")).toBeNull();
});

test("what it may ask for is granted with it, high ones too, since each use is asked", async () => {
  const { ask, answers } = drawPage();
  ask(LOCAL);
  const accept = screen.getByTestId("pairing-accept");
  await vi.waitFor(() => expect(accept.ariaDisabled).toBe("false"));
  fireEvent.click(accept);
  const granted_scopes = ["filesystem:read", "shell:exec"];
  const answer = {
    pairing_id: "Claude Code",
    accept: true,
    granted_scopes,
    hook_way: "ask_here",
  };
  expect(answers).toEqual([["pairing.answer", answer]]);
});

test("how it asks is chosen in the request itself, in words, and what is chosen is sent", async () => {
  const { ask, answers } = drawPage();
  ask(LOCAL);
  const ways = screen.getByTestId("hook-way");
  expect(ways.closest("[hidden]")).toBeNull();
  expect(ways.querySelectorAll(".muted")).toHaveLength(3);
  expect(screen.getByTestId("hook-way-ask_here")).toHaveProperty("checked", true);
  fireEvent.click(screen.getByTestId("hook-way-only_watch"));
  const accept = screen.getByTestId("pairing-accept");
  await vi.waitFor(() => expect(accept.ariaDisabled).toBe("false"));
  fireEvent.click(accept);
  expect(answers).toEqual([
    ["pairing.answer", expect.objectContaining({ accept: true, hook_way: "only_watch" })],
  ]);
});

test("a request that has just appeared cannot be accepted by a click that was meant for the page", () => {
  const { ask, answers } = drawPage();
  ask(LOCAL);
  fireEvent.click(screen.getByTestId("pairing-accept"));
  expect(answers).toEqual([]);
});

test("Esc puts a request off, and a bar brings it back; a new one shows both", async () => {
  const { ask } = drawPage();
  ask(LOCAL);
  fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" });
  expect(screen.queryByTestId("pairing-card")).toBeNull();
  fireEvent.click(screen.getByTestId("show-pairings"));
  screen.getByTestId("pairing-card");
  fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" });
  ask(LOCAL, samplePairing("Codex"));
  expect(screen.getAllByTestId("pairing-card")).toHaveLength(2);
});

test("a request does not take the keyboard from somebody who types", () => {
  const { ask } = drawPage();
  screen.getByLabelText("words").focus();
  ask(LOCAL);
  expect(screen.queryByTestId("pairing-card")).toBeNull();
  screen.getByTestId("pairing-bar");
  expect(document.activeElement).toBe(screen.getByLabelText("words"));
});

test("an agent of the hub shows the code to compare, and its high permissions are ticked by hand", async () => {
  const { ask, answers } = drawPage();
  ask({ ...LOCAL, local: null });
  screen.getByText(t("pairing.compare"));
  screen.getByTestId("pairing-code");
  const accept = screen.getByTestId("pairing-accept");
  await vi.waitFor(() => expect(accept.ariaDisabled).toBe("false"));
  fireEvent.click(accept);
  const granted_scopes = ["filesystem:read"];
  const answer = { pairing_id: "Claude Code", accept: true, granted_scopes };
  expect(answers).toEqual([["pairing.answer", answer]]);
});
