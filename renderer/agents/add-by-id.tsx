import { type FormEvent, useRef, useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { RegisteredAgentView } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
import { RegisteredAgent } from "./registered-agent.tsx";

/** Longer than any link; more is not taken into the field. */
const LINK_MAX = 1_024;

/**
 * For an agent that is registered at the hub (contract §7).
 * @param linked the id a link came with, to look for only when the person says so; "" if none did
 */
export function AddById({ linked }: { readonly linked: string }) {
  const { t } = useTexts();
  return (
    <Fold
      title={t("agents.add_by_id")}
      level={2}
      className="card by-manifest"
      data-testid="add-by-id"
      testId="add-by-id-open"
      defaultExpanded={linked !== ""}
    >
      <Finder linked={linked} />
    </Fold>
  );
}

function Finder({ linked }: { readonly linked: string }) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const [typed, setTyped] = useState(linked);
  const [found, setFound] = useState<RegisteredAgentView | null>(null);
  const [failure, setFailure] = useState<BridgeErrorCode | null>(null);
  const [asking, setAsking] = useState(false);
  /** What is typed now; an answer to anything else comes too late. */
  const wanted = useRef(typed);
  /** @param why what failed before; a new search answers it unless it says nothing */
  const find = async (why: BridgeErrorCode | null = null): Promise<void> => {
    setAsking(true);
    setFailure(why);
    try {
      const agent = await bridge.call("agents.find", { text: typed });
      if (wanted.current === typed) setFound(agent);
    } catch (error) {
      setFound(null);
      if (wanted.current === typed) setFailure(errorCode(error));
    }
    setAsking(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // Enter in the only field also submits a form whose button is pending.
    if (!asking) void find();
  };
  const retype = (text: string): void => {
    wanted.current = text;
    setTyped(text);
    setFound(null);
    setFailure(null);
  };
  return (
    <div className="new-agent">
      <p className="muted">{t("agents.add_by_id_body")}</p>
      <form className="id-form" onSubmit={submit}>
        <TextField value={typed} onChange={retype} maxLength={LINK_MAX}>
          <Label>{t("agents.id_or_link")}</Label>
          <Input
            data-testid="add-by-id-text"
            type="text"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
          />
        </TextField>
        <Button
          type="submit"
          data-testid="add-by-id-find"
          isDisabled={typed.trim() === ""}
          isPending={asking}
        >
          {t("agents.find")}
        </Button>
      </form>
      <p role="status" className="muted">
        {asking ? t("agents.finding") : null}
      </p>
      {failure === null ? null : (
        <p className="caution" role="alert" data-testid="add-by-id-failure" data-code={failure}>
          {t(`bridge_error.${failure}`)}
        </p>
      )}
      {found === null ? null : (
        <RegisteredAgent
          found={found}
          key={`${found.agent_id} ${found.manifest_version} ${found.manifest_digest}`}
          onAdded={() => retype("")}
          onFailed={(code) => {
            // What it asks for now is shown again, and nothing stays ticked.
            if (code === "manifest_changed") void find(code);
            else setFailure(code);
          }}
        />
      )}
    </div>
  );
}
