import { Fragment, type ReactNode, useEffect, useState } from "react";
import type {
  ArtifactView,
  BlockView,
  ConversationView,
  MessageItem,
} from "../../../app/bridge/conversation-views.ts";
import {
  checkAnswer,
  type FieldFault,
  type FieldValue,
  type FieldValues,
  fieldFault,
} from "../../../app/contract/artifacts/answer.ts";
import {
  type ArtifactAction,
  type ArtifactField,
  isField,
} from "../../../app/contract/artifacts/block.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { createPressGuard } from "../../consent/approve-button.tsx";
import { useAct, useShown } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { keptState } from "../../state/kept-state.ts";
import { ArtifactFieldView } from "./artifact-field.tsx";

const NO_FAULTS: ReadonlyMap<string, FieldFault> = new Map();
export const NOTHING_ENTERED: Entered = new Map();
const useKept = keptState<Entered>((entered) => entered.size > 0);
/** By conversation and item: the list drops rows as the person scrolls, and draws them again. */
export const useEntered = ({ view, item }: Pick<ArtifactProps, "view" | "item">) =>
  useKept(`${view.conversation_id} ${item.item_id}`, NOTHING_ENTERED);
type Sent = { readonly action: string } | null;

interface ArtifactFormProps extends ArtifactProps {
  /** A block that nobody fills in. */
  readonly drawn: (index: number) => ReactNode;
}

/** An artifact that waits for an answer, or that only shows something. */
export function ArtifactForm({ artifact, item, view, drawn }: ArtifactFormProps) {
  const { blocks } = artifact;
  const { t } = useTexts();
  const act = useAct();
  const connected = useShown((shown) => shown.connection === "connected");
  const [entered, setEntered] = useEntered({ view, item });
  /** Of the last attempt: lines that vanished under the pointer would move what it is about to press. */
  const [faults, setFaults] = useState(NO_FAULTS);
  const [sent, setSent] = useState<Sent>(null);
  const armed = useSettled(artifact.revision);
  const canAnswer = view.relation === "active" && view.offers.text && connected && !item.mine;
  const fields = fieldsOf(blocks);
  const values = currentValues(fields, entered);
  const open = fields.filter(
    (field) => faults.has(field.key) && fieldFault(field, values[field.key]) !== null,
  );
  const answer = async (action: ArtifactAction): Promise<void> => {
    const read = blocks.flatMap((block) => (block.tag === "file" ? [] : [block]));
    const checked = checkAnswer(read, action.key, values);
    setFaults(checked.kind === "faults" ? checked.faults : NO_FAULTS);
    if (checked.kind !== "fits") return;
    setSent({ action: action.key });
    const { conversation_id } = view;
    const { item_id } = item;
    const { revision } = artifact;
    const given = { item_id, revision, ref_action: action.key, values: checked.values };
    await act("conversations.answer", { conversation_id, ...given });
    setSent(null);
  };
  return (
    <>
      {blocks.map((block, index) => {
        const key = "key" in block && block.key !== undefined ? block.key : index;
        switch (block.tag) {
          case "input":
          case "select":
          case "checkbox":
            return (
              <ArtifactFieldView
                key={key}
                field={block}
                value={values[block.key]}
                {...faultNow(faults.get(block.key), fieldFault(block, values[block.key]))}
                isDisabled={!canAnswer || sent !== null}
                onChange={(value) => setEntered((before) => new Map(before).set(block.key, value))}
              />
            );
          case "action":
            return (
              <ActionButton
                key={key}
                action={block}
                armed={armed && canAnswer && sent === null}
                onPress={() => void answer(block)}
              />
            );
          default:
            return <Fragment key={key}>{drawn(index)}</Fragment>;
        }
      })}
      {faults.size === 0 ? null : (
        <p
          className="field-fault"
          role="alert"
          data-testid="artifact-faults"
          data-mended={open.length === 0}
        >
          {t("artifact.faults", { count: Math.max(1, open.length) })}
        </p>
      )}
    </>
  );
}

interface ActionButtonProps {
  readonly action: ArtifactAction;
  readonly armed: boolean;
  readonly onPress: () => void;
}

/** Its label is the agent's, who may change it under the pointer: only a press that began armed counts. */
function ActionButton({ action, armed, onPress }: ActionButtonProps) {
  const [guard] = useState(createPressGuard);
  return (
    <button
      type="button"
      className={`artifact-action ${action.variant ?? "secondary"}`}
      data-testid="artifact-action"
      data-key={action.key}
      aria-disabled={!armed}
      onPointerDown={() => guard.pressed({ armed, repeated: false })}
      onKeyDown={(event) => guard.pressed({ armed, repeated: event.repeat })}
      onClick={() => {
        if (guard.clicked({ armed, trusted: true })) onPress();
      }}
    >
      <VisibleText text={action.label} />
    </button>
  );
}

/** Whether this revision has been in the page for as long as a card waits before it can be allowed. */
function useSettled(revision: number): boolean {
  const [settled, setSettled] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(revision), LIMITS.approvalInertMs);
    return () => clearTimeout(timer);
  }, [revision]);
  return settled === revision;
}

/** A field is at fault from an attempt on, with what is wrong with it now. */
const faultNow = (found: FieldFault | undefined, now: FieldFault | null) => ({
  fault: found === undefined ? null : (now ?? found),
  isMended: now === null,
});

/** By field, what the person entered; null: they emptied it. */
type Entered = ReadonlyMap<string, FieldValue | null>;

const fieldsOf = (blocks: readonly BlockView[]): readonly ArtifactField[] =>
  blocks.flatMap((block) => (block.tag !== "file" && isField(block) ? [block] : []));

/** What stands in the fields: what the person entered, else what the agent proposes. */
function currentValues(fields: readonly ArtifactField[], entered: Entered): FieldValues {
  const values = fields.flatMap((field): [string, FieldValue][] => {
    const own = entered.get(field.key);
    const value = own === undefined ? proposed(field) : own;
    return value === null || value === undefined ? [] : [[field.key, value]];
  });
  return Object.fromEntries(values);
}

/** A box that nobody ticked is answered, with no. */
const proposed = (field: ArtifactField): FieldValue | undefined =>
  field.tag === "checkbox" ? (field.value ?? false) : field.value;

export interface ArtifactProps {
  readonly artifact: ArtifactView;
  readonly item: MessageItem;
  readonly view: ConversationView;
}
