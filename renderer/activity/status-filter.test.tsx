// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { NO_CALLS } from "../../app/bridge/count-all.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { CountTable } from "./count-table.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { NO_FILTER } from "./log-filter.ts";

afterEach(cleanup);

test("cancelled calls are found by a status of their own", () => {
  drawInHost(
    <FilterBar filter={{ ...NO_FILTER, status: "cancelled" }} narrow={false} onChange={() => {}} />,
    { snapshot: { agents: [] } },
  );
  const status = screen.getByTestId("activity-filter-status");
  expect(status.querySelector(".select-button")?.textContent).toContain("Cancelled");
});

test("cancelled calls are counted apart from those that failed", () => {
  const counts = { ...NO_CALLS, error: 2, cancelled: 5 };
  drawInHost(<CountTable name="By agent" rows={[{ ...counts, id: "ada", name: "Ada" }]} />);
  const cells = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);
  expect(cells("columnheader")).toEqual(["Done", "Denied", "Failed", "Cancelled", "Interrupted"]);
  expect(cells("cell").filter((text) => text !== "")).toEqual(["0", "0", "2", "5", "0"]);
});
