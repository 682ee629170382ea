import { isDeepStrictEqual } from "node:util";
import { type AgentDetails, labelWith, shownName } from "../../app/bridge/agent-views.ts";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { PROFILES, type Profile } from "../../app/contract/settings.ts";
import type { Translate } from "../../i18n/index.ts";
import { shortened, visibleText } from "../tools/platform/notification-fold.ts";

/** A line of the log as the tray tells of it: who, which tool, how it ended. Never what it was about. */
export type TrayCall = Pick<ActivityRow, "line_id" | "agent_name" | "tool_name" | "status">;

export interface TrayState {
  readonly paused: boolean;
  readonly profile: Profile;
  /** Requests that wait for the person. */
  readonly waiting: number;
  /** Newest first. */
  readonly calls: readonly TrayCall[];
  readonly agents: readonly AgentDetails[];
}

export interface TrayActions {
  readonly open: () => void;
  /** Shows the requests that wait. */
  readonly bringUp: () => void;
  readonly openActivity: () => void;
  readonly pause: (paused: boolean) => void;
  readonly chooseProfile: (profile: Profile) => void;
  readonly suspend: (agentId: string, suspended: boolean) => void;
  readonly quit: () => void;
}

/** The part of Electron's menu templates that is used here. */
export interface TrayItem {
  readonly label?: string;
  readonly type?: "separator" | "checkbox";
  readonly checked?: boolean;
  readonly click?: () => void;
  readonly submenu?: TrayItem[];
}

export const CALLS_IN_TRAY = 5;
/** Characters of an agent's name; a menu is no place for a message. */
const NAME_CHARS = 40;
const SEPARATOR: TrayItem = { type: "separator" };

/** The newest calls, with this one's newest state. */
export function withCall(calls: readonly TrayCall[], call: TrayCall): readonly TrayCall[] {
  return [call, ...calls.filter(({ line_id }) => line_id !== call.line_id)]
    .toSorted((one, other) => other.line_id - one.line_id)
    .slice(0, CALLS_IN_TRAY);
}

export function trayMenu(t: Translate, state: TrayState, actions: TrayActions): TrayItem[] {
  const { paused, waiting, calls } = state;
  const waits = { label: t("home.waiting", { count: waiting }), click: actions.bringUp };
  const rows = calls.map((call) => ({ label: callLabel(t, call), click: actions.openActivity }));
  return [
    ...(waiting === 0 ? [] : [waits, SEPARATOR]),
    { label: t("desktop.open"), click: actions.open },
    {
      label: t(paused ? "paused.resume" : "paused.pause"),
      click: () => actions.pause(!paused),
    },
    ...suspendMenu(t, state, actions),
    ...(rows.length === 0 ? [] : [{ label: t("desktop.last_calls"), submenu: rows }]),
    profileMenu(t, state, actions),
    SEPARATOR,
    { label: t("desktop.quit"), click: actions.quit },
  ];
}

/** How much is asked. */
const profileMenu = (t: Translate, { profile }: TrayState, actions: TrayActions): TrayItem => ({
  label: t("profile.label"),
  submenu: PROFILES.map((word) => ({
    type: "checkbox",
    label: t(`profile.name.${word}`),
    checked: word === profile,
    click: () => actions.chooseProfile(word),
  })),
});

/** None without agents. */
function suspendMenu(t: Translate, { agents }: TrayState, actions: TrayActions): TrayItem[] {
  const { shown, more } = trayAgents(t, agents);
  if (shown.length === 0) return [];
  const submenu: TrayItem[] = shown.map(({ agentId, label, suspended }) => ({
    type: "checkbox",
    label: plainLabel(label),
    checked: suspended,
    click: () => actions.suspend(agentId, !suspended),
  }));
  if (more) submenu.push({ label: t("desktop.more_agents"), click: actions.open });
  return [{ label: t("desktop.suspend"), submenu }];
}

const callLabel = (t: Translate, call: TrayCall): string =>
  plainLabel(
    `${shortName(call.agent_name)} · ${shortName(call.tool_name)}: ${t(`status.${call.status}`)}`,
  );

/** A single & would underline the letter that follows, on Linux and Windows. */
const plainLabel = (text: string): string => text.replaceAll("&", "&&");

const shortName = (name: string): string => shortened(visibleText(name), NAME_CHARS);

/** More would not fit on a screen; the page has them all. */
const SHOWN_AT_MOST = 20;
/** Characters of a name in a menu. */
const AGENT_NAME_CHARS = 64;

interface TrayAgent {
  readonly agentId: string;
  readonly label: string;
  readonly suspended: boolean;
}

interface TrayAgents {
  readonly shown: readonly TrayAgent[];
  /** There are more than are shown. */
  readonly more: boolean;
}

/** The agents that can be suspended and resumed, as the tray's menu names them. */
export function trayAgents(t: Translate, agents: readonly AgentDetails[]): TrayAgents {
  const living = agents.filter(({ relation }) => relation !== "revoked");
  const shown = living.slice(0, SHOWN_AT_MOST).map((agent) => ({
    agentId: agent.agent_id,
    label: labelWith(t, shortened(visibleText(shownName(agent)), AGENT_NAME_CHARS), agent),
    suspended: agent.relation === "suspended",
  }));
  return { shown, more: living.length > shown.length };
}

export const isSameInTray = (
  t: Translate,
  one: readonly AgentDetails[],
  other: readonly AgentDetails[],
): boolean => isDeepStrictEqual(trayAgents(t, one), trayAgents(t, other));
