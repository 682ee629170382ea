// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { BridgeError, type ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { FailureRead } from "../parts/notices-bar.tsx";
import { createShownStore } from "../state/store.ts";
import { BackupSettings } from "./backup.tsx";

afterEach(cleanup);

test("a password that opens the backup ends what was said of the one before it", async () => {
  const call = async (_: string, { password }: { password: string }) => {
    if (password === "wrong") throw new BridgeError("wrong_password");
  };
  const store = createShownStore("connected");
  store.setState({ snapshot: { keys: { restart_needed: false } } as Snapshot });
  const { container } = render(
    <HostProvider bridge={{ call } as unknown as ClientBridge} store={store}>
      <LanguageProvider language="en">
        <BackupSettings />
        <FailureRead />
      </LanguageProvider>
    </HostProvider>,
  );
  const file = container.querySelector("input[type=file]");
  if (file === null) throw new Error("no field for a file");
  fireEvent.change(file, { target: { files: [new File(["{}"], "backup.json")] } });
  const restore = (password: string) => {
    fireEvent.change(screen.getByTestId("restore-password"), { target: { value: password } });
    fireEvent.click(screen.getByTestId("restore-do"));
  };
  const said = screen.getByRole("alert");
  restore("wrong");
  await waitFor(() => expect(said.textContent).toBe("This password does not open the backup."));
  await waitFor(() => expect(screen.getByTestId("restore-do").textContent).toBe("Restore"));
  restore("right");
  await waitFor(() => expect(said.textContent).toBe(""));
});
