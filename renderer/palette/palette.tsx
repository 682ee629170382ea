import { useEffect, useState } from "react";
import { Autocomplete, Input, Menu, MenuItem, TextField, useFilter } from "react-aria-components";
import { PROFILES, THEMES } from "../../app/contract/settings.ts";
import { useConversationNames } from "../conversations/names.ts";
import { addressOf } from "../conversations/open-address.ts";
import { useAct, useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageAddress } from "../page/page-address.ts";
import { FormDialog } from "../parts/dialogs.tsx";
import { PAGES, type PageName } from "../parts/navigation.tsx";
import { isPageKey, keyShown } from "../parts/page-keys.ts";
import { labelOf, useAgentLabels } from "../text/agent-labels.ts";
import { coveredName, ruleAbout } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";

interface PaletteProps {
  readonly onOpen: () => void;
  /** It was left without a command. */
  readonly onLeave: () => void;
  readonly showRequests: () => void;
}

export function Palette({ onOpen, onLeave, showRequests }: PaletteProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const pressed = (event: KeyboardEvent): void => {
      if (!isPageKey("palette", event)) return;
      event.preventDefault();
      if (open) return;
      onOpen();
      setOpen(true);
    };
    document.addEventListener("keydown", pressed, { signal: listening.signal });
    return () => listening.abort();
  }, [open, onOpen]);
  return (
    <FormDialog
      title={t("palette.title")}
      testId="palette"
      isOpen={open}
      onClose={() => {
        setOpen(false);
        onLeave();
      }}
    >
      <Commands showRequests={showRequests} onRun={() => setOpen(false)} />
    </FormDialog>
  );
}

interface CommandsProps extends Pick<PaletteProps, "showRequests"> {
  readonly onRun: () => void;
}

function Commands({ showRequests, onRun }: CommandsProps) {
  const { t } = useTexts();
  const { contains } = useFilter({ sensitivity: "base" });
  const commands = useCommands(showRequests);
  return (
    <Autocomplete filter={(label, typed) => contains(label, typed.trim())}>
      <TextField aria-label={t("palette.find")} className="palette-find" autoFocus>
        <Input placeholder={t("palette.find")} data-testid="palette-find" />
      </TextField>
      <Menu
        aria-label={t("palette.title")}
        className="options palette-commands"
        items={commands}
        onAction={(id) => {
          onRun();
          commands.find((command) => command.id === id)?.run();
        }}
        renderEmptyState={() => <p className="muted">{t("palette.none")}</p>}
      >
        {({ id, label, keys }) => (
          <MenuItem id={id} textValue={label} data-testid="palette-command">
            {label}
            {keys === undefined ? null : <kbd>{keys}</kbd>}
          </MenuItem>
        )}
      </Menu>
      <p className="muted">{t("palette.keys")}</p>
    </Autocomplete>
  );
}

interface Command {
  readonly id: string;
  readonly label: string;
  /** The keys that do the same. */
  readonly keys?: string;
  readonly run: () => void;
}

const goTo = (page: PageName, query = ""): void => {
  window.location.hash = pageAddress(page, query);
};

/** What can be done from anywhere. None answers a request: what is allowed is read first. */
function useCommands(showRequests: () => void): readonly Command[] {
  const { t, language } = useTexts();
  const act = useAct();
  const { paused, settings, agents } = useSnapshot();
  const waits = useShown((shown) => shown.consents.length > 0);
  const labels = useAgentLabels();
  const names = useConversationNames();
  return [
    ...(waits
      ? [
          {
            id: "requests",
            label: t("palette.requests"),
            keys: keyShown("requests"),
            run: showRequests,
          },
        ]
      : []),
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
    ...agents.flatMap((agent) =>
      agent.rules.map(({ rule_id, effect, covers, subject }) => {
        const about = ruleAbout(t, { subject });
        const covered = coveredName(language, agent, covers);
        const said = [t(`rules.effect.${effect}`), covered, about].join(" · ");
        const find = subject.kind === "anything" ? covered : about;
        return {
          id: `rule ${rule_id}`,
          label: t("palette.rule", { rule: visibleString(said) }),
          run: () => goTo("permissions", new URLSearchParams({ find }).toString()),
        };
      }),
    ),
    ...[...names].map(([id, title]) => ({
      id: `conversation ${id}`,
      label: t("palette.conversation", { title }),
      run: () => {
        window.location.hash = addressOf(id);
      },
    })),
  ];
}
