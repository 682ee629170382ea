// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { CountTable } from "./count-table.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { NO_FILTER } from "./log-filter.ts";

const GROUP = "Failed or cancelled";

afterEach(cleanup);

test("the status that cancelled calls are found by names them", () => {
  drawInHost(
    <FilterBar filter={{ ...NO_FILTER, status: "error" }} narrow={false} onChange={() => {}} />,
    { snapshot: { agents: [] } },
  );
  const status = screen.getByTestId("activity-filter-status");
  expect(status.querySelector(".select-button")?.textContent).toContain(GROUP);
});

test("the number that cancelled calls are counted in names them", () => {
  const counts = { ok: 3, denied: 0, error: 2, interrupted: 0 };
  drawInHost(<CountTable name="By agent" rows={[{ ...counts, id: "ada", name: "Ada" }]} />);
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads).toContain(GROUP);
});
