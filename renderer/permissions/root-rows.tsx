import { useState } from "react";
import type { AgentDetails, RootView } from "../../app/bridge/agent-views.ts";
import { useAct, useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { FolderField, PathCautions, useFolderHelp } from "../parts/path-field.tsx";
import { Problem, useSubmit } from "../parts/submit.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { ruleLasts } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { type PermissionLine, PermissionLines } from "./permission-lines.tsx";

/** The folders of one agent (contract §4); their access can be changed at once. */
export function RootRows({ agent }: { readonly agent: AgentDetails }) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id } = agent;
  const lines = agent.roots.map(
    ({ root_id, path, access, only_file, ...lasting }): PermissionLine => {
      const lasts = lasting.ends_at === null ? [] : [ruleLasts(t, language, lasting)];
      const may = t(`permissions.root_access.${access}`);
      return {
        id: root_id,
        testId: "root-row",
        what: <VisibleText text={path} />,
        path,
        notes: only_file ? [may, ...lasts] : lasts,
        beside: only_file ? (
          <span className="muted" data-testid="root-only-file">
            {t("consent.root_only.file")}
          </span>
        ) : (
          <AccessSelect
            label={t("permissions.root_access_of", { path: visibleString(path) })}
            access={access}
            onChange={(chosen) =>
              void act("permissions.add_root", { agent_id, path, access: chosen })
            }
          />
        ),
        end: [
          t("app.remove"),
          "remove-root",
          t("permissions.remove_root_of", { path: visibleString(path) }),
        ],
        act: () => act("permissions.remove_root", { agent_id, root_id }),
        alike: only_file && JSON.stringify([access, lasting]),
      };
    },
  );
  return (
    <>
      <PermissionLines
        agent={agent}
        title={t("permissions.roots")}
        lines={lines}
        none={t("permissions.no_roots")}
      />
      <AddRoot agent_id={agent_id} />
    </>
  );
}

interface AddRootProps {
  readonly agent_id: string;
  /** The path that is there at first. */
  readonly startAt?: string;
  readonly onAdded?: () => void;
}

export function AddRoot({ agent_id, startAt = "", onAdded }: AddRootProps) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const help = useFolderHelp();
  const [path, setPath] = useState(startAt);
  const [access, setAccess] = useState<RootView["access"]>("read");
  const { problem, submit } = useSubmit(async () => {
    await bridge.call("permissions.add_root", { agent_id, path, access });
    setPath("");
    onAdded?.();
  });
  return (
    <form className="inline-form" onSubmit={submit}>
      <FolderField
        help={help}
        label={t("permissions.add_root_label")}
        testId="add-root-path"
        value={path}
        onChange={setPath}
      />
      <AccessSelect label={t("permissions.new_root_access")} access={access} onChange={setAccess} />
      <button type="submit" data-testid="add-root" disabled={path === ""}>
        {t("permissions.add_root")}
      </button>
      <PathCautions path={path} />
      <Problem problem={problem} testId="add-root-problem" />
    </form>
  );
}

type Access = RootView["access"];
const ACCESSES: readonly Access[] = ["read", "read_write"];

interface AccessSelectProps {
  readonly label: string;
  readonly access: Access;
  readonly onChange: (access: Access) => void;
}

function AccessSelect({ label, access, onChange }: AccessSelectProps) {
  const { t } = useTexts();
  return (
    <Choice
      className="access-select"
      label={label}
      unseenLabel
      chosen={access}
      options={ACCESSES.map((word) => ({ word, label: t(`permissions.root_access.${word}`) }))}
      onChoose={onChange}
      testId="root-access"
    />
  );
}
