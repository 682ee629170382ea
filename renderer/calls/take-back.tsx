import { useState } from "react";
import { Button } from "react-aria-components";
import type { CallItem } from "../../app/bridge/conversation-views.ts";
import type { TakeBackPlace, TakeBackView } from "../../app/bridge/take-back-calls.ts";
import { CardPreview } from "../consent/card-preview.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { ReadFailure, ReadState } from "../parts/empty.tsx";
import { Tick } from "../parts/tick.tsx";
import { useAsked, useRead } from "../parts/use-asked.ts";
import { VisibleText } from "../parts/visible-text.tsx";

type TakenCall = Pick<CallItem, "agent_id" | "call_id" | "status">;

export function TakeBack({ call }: { readonly call: TakenCall }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { state, again } = useLook(call, false);
  if (state.kind !== "found" || state.found === null) return null;
  if (state.found.taken_back) {
    return (
      <p className="muted" data-testid="taken-back">
        {t("take_back.taken")}
      </p>
    );
  }
  const close = () => {
    setOpen(false);
    again();
  };
  return (
    <>
      <div className="button-row">
        <Button data-testid="take-back" onPress={() => setOpen(true)}>
          {t("take_back.open")}
        </Button>
      </div>
      <FormDialog
        title={t("take_back.title")}
        testId="take-back-dialog"
        isOpen={isOpen}
        onClose={close}
        wide
      >
        <Offer call={call} onDone={close} />
      </FormDialog>
    </>
  );
}

/** A waiting call, and one that was refused, has changed nothing. */
const mayHaveChanged = ({ status }: TakenCall): boolean =>
  status !== "waiting" && status !== "running" && status !== "denied";

function useLook(call: TakenCall, later: boolean) {
  const { agent_id, call_id, status } = call;
  return useRead<TakeBackView | null>(
    `${agent_id} ${call_id} ${status} ${later}`,
    async (bridge) =>
      mayHaveChanged(call) ? bridge.call("changes.look", { agent_id, call_id, later }) : null,
  );
}

interface OfferProps {
  readonly call: TakenCall;
  readonly onDone: () => void;
}

function Offer({ call, onDone }: OfferProps) {
  const [later, setLater] = useState(false);
  const look = useLook(call, later);
  return (
    <ReadState {...look}>
      {(view) =>
        view && (
          <Places key={view.seen} again={look.again} {...{ view, later, setLater, call, onDone }} />
        )
      }
    </ReadState>
  );
}

interface PlacesProps extends OfferProps {
  readonly view: TakeBackView;
  readonly later: boolean;
  readonly setLater: (later: boolean) => void;
  readonly again: () => void;
}

function Places({ view, later, setLater, call, again, onDone }: PlacesProps) {
  const { t } = useTexts();
  const [despite, setDespite] = useState(false);
  const { state, ask } = useAsked<{ readonly left: number }>();
  const { agent_id, call_id } = call;
  const { places, seen } = view;
  const isChanged = places.some((place) => place.state === "changed");
  const canTake = places.some(
    (place) => place.state === "ready" || (place.state === "changed" && despite),
  );
  const take = () =>
    void ask(async (bridge) => {
      const done = await bridge.call("changes.take_back", {
        ...{ agent_id, call_id, later, despite, seen },
      });
      if (done.left === 0) onDone();
      return done;
    });
  if (state.kind === "failed") return <ReadFailure code={state.code} onRetry={again} />;
  if (state.kind === "found" && state.found.left > 0) {
    return (
      <>
        <p className="caution" role="status" data-testid="take-back-left">
          {t("take_back.left", { count: state.found.left })}
        </p>
        <div className="button-row">
          <Button onPress={again}>{t("app.try_again")}</Button>
          <Button onPress={onDone}>{t("app.close")}</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <ul className="take-back-places">
        {places.map((place) => (
          <li key={`${place.act} ${place.path}`} data-state={place.state}>
            <OnePlace place={place} />
          </li>
        ))}
      </ul>
      {view.later === 0 ? null : (
        <Tick className="check-line" on={later} onChange={setLater} testId="take-back-later">
          {t("take_back.later", { count: view.later })}
        </Tick>
      )}
      {isChanged ? (
        <Tick className="check-line" on={despite} onChange={setDespite} testId="take-back-despite">
          {t("take_back.despite")}
        </Tick>
      ) : null}
      <div className="button-row">
        <Button autoFocus onPress={onDone}>
          {t("app.cancel")}
        </Button>
        <Button
          className="primary"
          data-testid="take-back-confirm"
          isDisabled={!canTake || state.kind === "asking"}
          onPress={take}
        >
          {t("take_back.confirm")}
        </Button>
      </div>
    </>
  );
}

function OnePlace({ place }: { readonly place: TakeBackPlace }) {
  const { t } = useTexts();
  const { act, state, path, to, preview } = place;
  return (
    <>
      <VisibleText within="h3" className="take-back-path" text={path} />
      <p>
        {t(`take_back.act.${act}`)}
        {to === null ? null : (
          <>
            {" "}
            <VisibleText text={to} />
          </>
        )}
      </p>
      {state === "ready" ? null : (
        <p className={state === "back" ? "muted" : "caution"} data-testid="take-back-state">
          {t(`take_back.state.${state}`)}
        </p>
      )}
      {preview === null || preview.kind === "command" ? null : (
        <CardPreview preview={preview} toolName="write_file" args={{}} />
      )}
    </>
  );
}
