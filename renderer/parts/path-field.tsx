import { type ComponentProps, useEffect, useId, useMemo, useRef, useState } from "react";
import type { ClientBridge, ConsentBridge } from "../../app/bridge/client-bridge.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import { useHost, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { hasUnseen, visibleString } from "../text/visible-text.ts";
import { PlainField } from "./plain-field.tsx";

/** The folders that begin like a text. */
export type CompleteFolder = (text: string) => Promise<readonly string[]>;

interface PathFieldProps extends Omit<ComponentProps<typeof PlainField>, "list"> {
  readonly complete: CompleteFolder;
}

/** A field for a folder's path, which offers the folders that begin like it. */
export function PathField({ complete, ...props }: PathFieldProps) {
  const { value } = props;
  const id = useId();
  const [folders, setFolders] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const show = (found: readonly string[]): void => {
      if (isCurrent) setFolders(found);
    };
    if (value === "") show([]);
    // Without an answer nothing is offered.
    else complete(value).then(show, () => show([]));
    return () => {
      isCurrent = false;
    };
  }, [complete, value]);
  return (
    <>
      <PlainField {...props} list={id} />
      <datalist id={id} data-testid={`${props.testId}-offers`}>
        {folders.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  );
}

/** Where the system shows its own picker, nothing else is needed. */
export type FolderHelp =
  | { readonly kind: "picks"; readonly pick: PickFolder }
  | { readonly kind: "completes"; readonly complete: CompleteFolder };

interface FolderFieldProps extends Omit<ComponentProps<typeof PlainField>, "list"> {
  readonly help: FolderHelp;
}

export function FolderField({ help, ...field }: FolderFieldProps) {
  switch (help.kind) {
    case "completes":
      return <PathField {...field} complete={help.complete} />;
    case "picks":
      return (
        <>
          <PlainField {...field} />
          <FolderButton pick={help.pick} startAt={field.value} onPicked={field.onChange} />
        </>
      );
    default:
      return assertNever(help);
  }
}

/** Shows the system's folder picker; null: the person chose none, or there is no picker. */
type PickFolder = (startAt: string) => Promise<string | null>;

interface FolderButtonProps {
  readonly pick: PickFolder;
  readonly startAt: string;
  readonly onPicked: (path: string) => void;
}

function FolderButton({ pick, startAt, onPicked }: FolderButtonProps) {
  const { t } = useTexts();
  /** Not disabled meanwhile: the button would lose the keyboard. */
  const picking = useRef(false);
  const choose = async (): Promise<void> => {
    if (picking.current) return;
    picking.current = true;
    const path = await pick(startAt);
    picking.current = false;
    if (path !== null) onPicked(path);
  };
  return (
    <button type="button" data-testid="pick-folder" onClick={() => void choose()}>
      {t("app.choose_folder")}
    </button>
  );
}

export const folderCompletion =
  (bridge: ClientBridge): CompleteFolder =>
  (text) =>
    bridge.call("folders.complete", { text });

export function useFolderHelp(): FolderHelp {
  const { bridge } = useHost();
  const hasPicker = useShown((shown) => shown.snapshot?.folder_picker === true);
  return useMemo(
    () =>
      hasPicker
        ? { kind: "picks", pick: (startAt) => pickedFolder(bridge, startAt) }
        : { kind: "completes", complete: folderCompletion(bridge) },
    [bridge, hasPicker],
  );
}

/** If a picker cannot be shown, nothing was chosen. */
export async function pickedFolder(
  bridge: Pick<ConsentBridge, "call">,
  startAt: string,
): Promise<string | null> {
  try {
    const picked = await bridge.call("folders.pick", startAt === "" ? {} : { start_at: startAt });
    return picked.path;
  } catch {
    return null;
  }
}

/** What may deceive in a path that an agent suggested, beside the field that holds it. */
export function PathCautions({ path }: { readonly path: string }) {
  const { t } = useTexts();
  return (
    <>
      {hasUnseen(path) ? <p className="caution mono">{visibleString(path)}</p> : null}
      {mixedScriptWords(path).map((word) => (
        <p className="caution" key={word}>
          {t("consent.mixed_script", { word })}
        </p>
      ))}
    </>
  );
}
