import { type FormEvent, useId, useRef, useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import type { RegisteredAgentView } from "../../app/bridge/agent-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { agentIdIn } from "../../app/contract/agent-link.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ManifestRemarks } from "../manifest/manifest-remarks.tsx";
import { pageQuery, useFragment } from "../page/page-address.ts";
import { Lookalikes, NameMarkNote } from "../parts/agent-identity.tsx";
import { Fact } from "../parts/fact.tsx";
import { Fold } from "../parts/fold.tsx";
import { NewAgentScopes, useScopeChoice } from "../parts/scope-picker.tsx";
import { useSubmit } from "../parts/submit.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

/** Longer than any link; more is not taken into the field. */
const LINK_MAX = 1_024;

/** For an agent of the hub (contract §7). @param linked the id of a link, else "" */
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

interface RegisteredAgentProps {
  readonly found: RegisteredAgentView;
  readonly onAdded: () => void;
  readonly onFailed: (code: BridgeErrorCode) => void;
}

function RegisteredAgent({ found, onAdded, onFailed }: RegisteredAgentProps) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const id = useId();
  // Each time it is found is another question.
  const [question] = useState(() => crypto.randomUUID());
  const choice = useScopeChoice(question, found.scopes);
  const { agent_id, manifest_version, manifest_digest } = found;
  const { pending, submit } = useSubmit(async () => {
    const shown = { agent_id, manifest_version, manifest_digest };
    const added = bridge.call("agents.add", { ...shown, granted_scopes: [...choice.chosen] });
    await added.then(onAdded, (error: unknown) => onFailed(errorCode(error)));
  });
  return (
    <section className="found-agent" aria-labelledby={id} data-testid="found-agent">
      <VisibleText within="h3" id={id} className="identity-name" text={found.name} />
      <NameMarkNote mark={found.name_mark} />
      <Lookalikes lookalikes={found.lookalikes} />
      <p className="muted">{t("agents.found_unproven")}</p>
      <dl className="facts">
        <Fact name={t("agents.found_id")} text={agent_id} />
        <Fact
          name={t("agents.found_manifest")}
          text={t("agents.found_manifest_is", {
            agent_version: found.agent_version,
            number: manifest_version,
          })}
          detail={manifest_digest}
        />
      </dl>
      <ManifestRemarks warnings={found.warnings} />
      <NewAgentScopes scopes={found.scopes} choice={choice} testPrefix="found-scope" limited />
      <div className="button-row">
        <Button
          className="primary"
          data-testid="found-add"
          isPending={pending}
          onPress={() => submit()}
        >
          {t("agents.add")}
        </Button>
      </div>
    </section>
  );
}

/** The id of the agent that a link came with, as the address has it (`#/agents?add=…`); else "". */
export function useLinkedAgent(): string {
  const query = new URLSearchParams(pageQuery(useFragment()));
  return agentIdIn(query.get("add") ?? "") ?? "";
}
