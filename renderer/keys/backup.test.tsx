// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { BackupSettings } from "./backup.tsx";

afterEach(cleanup);

test("a password that opens the backup ends what was said of the one before it", async () => {
  const call = async (_: string, { password }: { password: string }) => {
    if (password === "wrong") throw bridgeError("wrong_password");
  };
  const { container } = drawInHost(<BackupSettings />, {
    call,
    snapshot: { keys: { restart_needed: false } },
  });
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

test("the keyboard stays on the button while a backup is being restored, and it is restored once", async () => {
  const call = vi.fn(() => new Promise(() => undefined));
  const { container } = drawInHost(<BackupSettings />, {
    call,
    snapshot: { keys: { restart_needed: false } },
  });
  const file = container.querySelector("input[type=file]") as HTMLInputElement;
  fireEvent.change(file, { target: { files: [new File(["{}"], "backup.json")] } });
  fireEvent.change(screen.getByTestId("restore-password"), { target: { value: "right" } });
  const button = screen.getByTestId<HTMLButtonElement>("restore-do");
  const { form } = button;
  fireEvent.click(button);
  await waitFor(() => expect(call).toHaveBeenCalledOnce());
  expect(button.disabled).toBe(false);
  // As Enter in the field does.
  fireEvent.submit(form as HTMLFormElement);
  await waitFor(() => expect(button.textContent).toBe("Working…"));
  expect(call).toHaveBeenCalledOnce();
});
