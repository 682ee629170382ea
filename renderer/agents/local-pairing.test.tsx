// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { AskingProgram } from "../../app/bridge/agent-views.ts";
import { createI18n } from "../../i18n/index.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { LocalPairingFacts } from "./pairing.tsx";

afterEach(cleanup);

const { t } = createI18n("en");

test.each([
  ["without parents has no row for them", [], false],
  ["with a parent has a row for it", [{ pid: 7, executable: "/usr/bin/editor" }], true],
])("a program %s", (_what, parents, isThere) => {
  const program: AskingProgram = {
    pid: 8,
    executable: "/usr/bin/node",
    folder: null,
    parents,
    started_by: null,
  };
  const local = {
    asks: "connect",
    agent_id: null,
    program,
    delivery: "local",
    shows_code: true,
  } as const;
  drawInHost(<LocalPairingFacts local={local} name="editor" />);
  expect(screen.queryByText(t("pairing.program.parents")) !== null).toBe(isThere);
});
