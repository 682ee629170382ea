import { useFragment } from "../use-fragment.ts";
import { addressOf, openIn } from "./open-address.ts";

/**
 * Which conversation is open. It is part of the address, so the browser's Back returns to the list.
 */
export const useOpenConversation = (): readonly [string | null, (id: string | null) => void] => [
  openIn(useFragment()),
  change,
];

function change(id: string | null): void {
  window.location.hash = addressOf(id);
}
