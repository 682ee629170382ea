// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { DeniedNote } from "./denied-note.tsx";
import { cardOf, draw, drawsCards, inLanguage, pass } from "./testing/drawn-card.tsx";

drawsCards();

const heldDenial = (request_id: string, leaves_in_ms = 5_000) => ({
  denial: { card: cardOf({ request_id }), leaves_in_ms },
  received_at: performance.now(),
});

function drawNote(...denials: ReturnType<typeof heldDenial>[]) {
  const onUndo = vi.fn<(id: string) => void>();
  const { rerender } = draw(inLanguage(<DeniedNote denials={denials} onUndo={onUndo} />));
  return {
    undone: () => onUndo.mock.calls.map(([id]) => id),
    allHaveLeft: () => rerender(inLanguage(<DeniedNote denials={[]} onUndo={onUndo} />)),
  };
}
const pressUndo = (target: Element = document.body) =>
  fireEvent.keyDown(target, { key: "z", ctrlKey: true });

test("it says what was denied, counts down, and takes it back", async () => {
  const { undone } = drawNote(heldDenial("request-1"));
  expect(screen.getByRole("status").textContent).toBe("Denied: Read proj/notes.md");
  const undo = screen.getByRole("button", { name: "Undo" });
  expect(undo.textContent).toBe("Undo5");
  await pass(3_000);
  expect(undo.textContent).toBe("Undo2");
  fireEvent.click(undo);
  expect(undone()).toEqual(["request-1"]);
});

test("several are counted, and taken back together", () => {
  const { undone } = drawNote(heldDenial("request-1"), heldDenial("request-2"));
  expect(screen.getByRole("status").textContent).toBe("Denied: 2 requests");
  pressUndo();
  expect(undone()).toEqual(["request-1", "request-2"]);
});

test("the key for undoing is the typing's while a person types, and nobody's when all have left", () => {
  const { undone, allHaveLeft } = drawNote(heldDenial("request-1"));
  const field = document.body.appendChild(document.createElement("textarea"));
  field.focus();
  pressUndo(field);
  field.remove();
  allHaveLeft();
  pressUndo();
  expect(undone()).toEqual([]);
  expect(screen.queryByRole("button")).toBe(null);
});
