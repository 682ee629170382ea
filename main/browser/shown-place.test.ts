import { expect, it } from "vitest";
import { createShownPlace } from "./page-services.ts";

const NOWHERE: readonly string[] = [];
const placeAfter = (...steps: readonly string[]): readonly string[] => {
  const place = createShownPlace<string>();
  for (const step of steps) {
    const [page = "", what] = step.split(" ");
    if (what === "left") place.left(page);
    else place.attended(page, what === "used");
  }
  return ["one", "two"].filter(place.isAt);
};

it.each([
  ["the only page in view", ["one used"], ["one"]],
  ["the page that was used last, and no other", ["one used", "two used"], ["two"]],
  ["where the person returns to", ["one used", "two used", "one used"], ["one"]],
  ["the page before, when the last one is hidden", ["one used", "two used", "two hidden"], ["one"]],
  ["the page before, when the last one is closed", ["one used", "two used", "two left"], ["one"]],
  ["nowhere while every page is hidden", ["one used", "one hidden"], NOWHERE],
  ["nowhere before a page says that it is in view", [], NOWHERE],
])("requests are shown at %s", (_, steps, place) => {
  expect(placeAfter(...steps)).toEqual(place);
});
