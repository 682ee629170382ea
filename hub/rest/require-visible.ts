import { isVisibleName } from "../../app/contract/visible-name.ts";
import { Refusal } from "../refusal.ts";

/** @throws Refusal BAD_REQUEST, fault `nothing_visible`: an invisible name could be anybody's */
export function requireVisible(name: string): void {
  if (!isVisibleName(name)) throw new Refusal("BAD_REQUEST", { fault: "nothing_visible" });
}
