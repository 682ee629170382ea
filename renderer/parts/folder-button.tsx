import { useRef } from "react";
import { useTexts } from "../language.tsx";

/** Shows the system's folder picker; null: the person chose none, or there is no picker. */
export type PickFolder = (startAt: string) => Promise<string | null>;

interface FolderButtonProps {
  readonly pick: PickFolder;
  readonly startAt: string;
  readonly onPicked: (path: string) => void;
}

export function FolderButton({ pick, startAt, onPicked }: FolderButtonProps) {
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
