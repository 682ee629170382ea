import { useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import type { AgentCard } from "../../app/bridge/views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { beginningOf, useSave } from "../parts/files.ts";

/** One agent's rules to a file, and rules from such a file. */
export function RuleFiles({ agent: { agent_id } }: { readonly agent: AgentCard }) {
  const { t, gap } = useTexts();
  const { bridge, setFailure } = useHost();
  const [said, setSaid] = useState("");
  const save = useSave();
  const write = async (): Promise<void> => {
    setSaid("");
    const written = bridge.call("rules.export", { agent_id });
    if (!(await save(written))) return;
    const { saved, left_out } = await written;
    const counts = t("rules.exported", { saved, left_out });
    setSaid(left_out === 0 ? counts : counts + gap + t("rules.not_for_files"));
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setSaid("");
    setFailure(null);
    try {
      const counts = await bridge.call("rules.import", {
        agent_id,
        // Of a longer file, which has no rules, only the beginning is read.
        text: await beginningOf(file, LIMITS.ruleFileBytes).text(),
      });
      setSaid(t("rules.imported", counts));
    } catch (error) {
      setFailure(errorCode(error));
    }
  };
  return (
    <>
      <Button data-testid="rules-export" onPress={() => void write()}>
        {t("rules.export")}
      </Button>
      <FileTrigger
        acceptedFileTypes={["application/json"]}
        onSelect={(files) => void take(files?.[0])}
      >
        <Button data-testid="rules-import">{t("rules.import")}</Button>
      </FileTrigger>
      <span className="muted" role="status">
        {said}
      </span>
    </>
  );
}
