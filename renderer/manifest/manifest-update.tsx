import { useCallback, useId, useRef, useState } from "react";
import { Button } from "react-aria-components";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import type { ManifestCheckView } from "../../app/bridge/manifest-views.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Problem, useSubmit } from "../parts/submit.tsx";
import { type EditorHandle, ManifestEditor, useManifestCheck } from "./manifest-editor.tsx";
import { ManifestFindings } from "./manifest-findings.tsx";

export function ManifestUpdate({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const { agent_id } = agent;
  const [text, setText] = useState("");
  const [applied, setApplied] = useState<number | null>(null);
  const editor = useRef<EditorHandle>(null);
  const id = useId();
  const look = useCallback(
    (wanted: string) => bridge.call("manifest.check", { agent_id, text: wanted }),
    [bridge, agent_id],
  );
  const state = useManifestCheck(text, agent.manifest_version, look);
  const { check } = state;
  const { pending, problem, setProblem, submit } = useSubmit(async () => {
    if (check?.digest == null) return;
    const done = await bridge.call("manifest.apply", { agent_id, text, digest: check.digest });
    setApplied(done.manifest_version);
    setText("");
  });
  return (
    <div className="manifest-update">
      <ManifestEditor
        text={text}
        onText={(next) => {
          setText(next);
          setApplied(null);
          setProblem(null);
        }}
        invalid={(check?.problems.length ?? 0) > 0}
        describedBy={id}
        isDisabled={pending}
        handle={editor}
      />
      <ManifestFindings
        id={id}
        state={state}
        onGo={(line, column) => editor.current?.goTo(line, column)}
      />
      <div role="status" data-testid="manifest-outcome">
        {applied === null ? null : (
          <p className="verdict-ok">{t("manifest.applied", { version: applied })}</p>
        )}
        <Problem problem={problem} testId="manifest-problem" />
      </div>
      <ApplyButton check={check} pending={pending} onApply={submit} />
    </div>
  );
}

interface ApplyButtonProps {
  readonly check: ManifestCheckView | null;
  readonly pending: boolean;
  readonly onApply: () => void;
}

/** Says first what will happen: breaking changes suspend permissions (contract §7). */
function ApplyButton({ check, pending, onApply }: ApplyButtonProps) {
  const { t } = useTexts();
  const digest = check?.digest ?? null;
  const breaking = check?.changes.filter((change) => change.breaking).length ?? 0;
  return (
    <div className="manifest-apply">
      {digest === null ? null : (
        <p className="muted">
          {breaking === 0 ? t("manifest.apply_means") : t("manifest.apply_means_breaking")}
        </p>
      )}
      <Button
        className="primary"
        data-testid="manifest-apply"
        isDisabled={digest === null}
        isPending={pending}
        onPress={onApply}
      >
        {t("manifest.apply")}
      </Button>
    </div>
  );
}
