import { PROFILES, THEMES } from "../../app/contract/settings.ts";
import { useAct, useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageAddress } from "../page-address.ts";
import { PAGES, type PageName } from "../parts/navigation.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import { labelOf } from "../text/agent-labels.ts";

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly run: () => void;
}

const goTo = (page: PageName, query = ""): void => {
  window.location.hash = pageAddress(page, query);
};

/**
 * What can be done from anywhere. None answers a request: what is allowed is read first.
 *
 * @param showRequests leads to the requests that wait
 */
export function useCommands(showRequests: () => void): readonly Command[] {
  const { t } = useTexts();
  const act = useAct();
  const { paused, settings } = useSnapshot();
  const waits = useShown((shown) => shown.consents.length > 0);
  const labels = useAgentLabels();
  return [
    ...(waits ? [{ id: "requests", label: t("palette.requests"), run: showRequests }] : []),
    {
      id: "pause",
      label: t(paused ? "paused.resume" : "paused.pause"),
      run: () => void act("agents.pause", { paused: !paused }),
    },
    ...PROFILES.filter((profile) => profile !== settings.profile).map((profile) => ({
      id: `profile ${profile}`,
      label: t("palette.choice", {
        what: t("profile.label"),
        choice: t(`profile.name.${profile}`),
      }),
      run: () => void act("profile.set", { profile }),
    })),
    ...PAGES.map((page) => ({
      id: `page ${page}`,
      label: t(`nav.${page}`),
      run: () => goTo(page),
    })),
    { id: "connect", label: t("palette.connect"), run: () => goTo("agents", "connect") },
    ...THEMES.filter((theme) => theme !== settings.theme).map((theme) => ({
      id: `theme ${theme}`,
      label: t("palette.choice", {
        what: t("settings.theme"),
        choice: t(`settings.theme_${theme}`),
      }),
      run: () => void act("settings.set", { ...settings, theme }),
    })),
    ...[...labels.keys()].map((agent_id) => ({
      id: `agent ${agent_id}`,
      label: t("palette.agent", { agent: labelOf(labels, agent_id, "") }),
      run: () => goTo("activity", new URLSearchParams({ agent: agent_id }).toString()),
    })),
  ];
}
