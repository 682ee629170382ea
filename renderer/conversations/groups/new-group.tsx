import { useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import { GROUP_TITLE_MAX } from "../../../app/bridge/conversation-views.ts";
import { useHost, useShown, useSnapshot } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { AgentIdentity } from "../../parts/agent-identity.tsx";
import { FormDialog } from "../../parts/dialogs.tsx";
import { DialogButtons, Problem, useSubmit } from "../../parts/submit.tsx";
import { Tick } from "../../parts/tick.tsx";
import { addableAgents } from "./group-members.tsx";

interface NewGroupProps {
  readonly onMade: (conversation_id: string) => void;
}

export function NewGroup({ onMade }: NewGroupProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button className="quiet" data-testid="new-group" onPress={() => setOpen(true)}>
        {t("groups.new")}
      </Button>
      <FormDialog
        title={t("groups.new")}
        testId="new-group-dialog"
        isOpen={open}
        onClose={() => setOpen(false)}
      >
        <NewGroupForm
          onClose={() => setOpen(false)}
          onMade={(id) => {
            setOpen(false);
            onMade(id);
          }}
        />
      </FormDialog>
    </>
  );
}

function NewGroupForm({ onMade, onClose }: NewGroupProps & { readonly onClose: () => void }) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const { agents } = useSnapshot();
  const conversations = useShown((shown) => shown.conversations) ?? [];
  const addable = addableAgents(agents, conversations);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { pending, problem, submit } = useSubmit(async () => {
    const wanted = { title: typedTitle(typed), agent_ids: [...chosen] };
    const { conversation_id } = await bridge.call("groups.create", wanted);
    onMade(conversation_id);
  });
  const choose = (agentId: string, on: boolean): void =>
    setChosen((before) => (on ? [...before, agentId] : before.filter((each) => each !== agentId)));
  return (
    <form className="modal-form" onSubmit={submit}>
      <p className="muted">{t("conversations.tools_off")}</p>
      <TitleField typed={typed} onType={setTyped} />
      <fieldset className="group-members">
        <legend>{t("groups.members")}</legend>
        {addable.length === 0 ? <p className="muted">{t("groups.none_to_add")}</p> : null}
        {addable.map((agent) => (
          <Tick
            className="check-line"
            key={agent.agent_id}
            on={chosen.includes(agent.agent_id)}
            onChange={(on) => choose(agent.agent_id, on)}
            testId={`group-agent-${agent.agent_id}`}
          >
            <AgentIdentity of={agent} />
          </Tick>
        ))}
      </fieldset>
      <Problem problem={problem} testId="new-group-problem" />
      <DialogButtons
        label={t("groups.make")}
        testId="new-group-make"
        onClose={onClose}
        isDisabled={chosen.length === 0}
        pending={pending}
      />
    </form>
  );
}

export function TitleField(props: Readonly<{ typed: string; onType: (typed: string) => void }>) {
  const { typed, onType } = props;
  const { t } = useTexts();
  return (
    <TextField value={typed} onChange={onType} maxLength={GROUP_TITLE_MAX} autoFocus>
      <Label>{t("groups.name")}</Label>
      <Input data-testid="group-name" type="text" autoComplete="off" dir="auto" />
    </TextField>
  );
}

/** Null: the group has no name of its own. */
export const typedTitle = (typed: string): string | null => (typed.trim() === "" ? null : typed);
