import { useState } from "react";
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
  const [picking, setPicking] = useState(false);
  const choose = async (): Promise<void> => {
    setPicking(true);
    const path = await pick(startAt);
    setPicking(false);
    if (path !== null) onPicked(path);
  };
  return (
    <button
      type="button"
      data-testid="pick-folder"
      disabled={picking}
      onClick={() => void choose()}
    >
      {t("app.choose_folder")}
    </button>
  );
}
