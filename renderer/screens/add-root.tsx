import { type FormEvent, useState } from "react";
import type { RootView } from "../../app/bridge/views.ts";
import { useAct, useHost, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { FolderButton } from "../parts/folder-button.tsx";
import { pickedFolder } from "../parts/picked-folder.ts";
import { PlainField } from "../parts/plain-field.tsx";
import { AccessSelect } from "./access-select.tsx";

/** Gives an agent another folder, by its path or through the system's picker. */
export function AddRoot({ agent_id }: { readonly agent_id: string }) {
  const { t } = useTexts();
  const act = useAct();
  const { bridge } = useHost();
  const { folder_picker } = useSnapshot();
  const [path, setPath] = useState("");
  const [access, setAccess] = useState<RootView["access"]>("read");
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await act("permissions.add_root", { agent_id, path, access })) setPath("");
  };
  const pick = (startAt: string): Promise<string | null> => pickedFolder(bridge, startAt);
  return (
    <form className="inline-form" onSubmit={(event) => void add(event)}>
      <PlainField
        label={t("permissions.add_root_label")}
        testId="add-root-path"
        value={path}
        onChange={setPath}
      />
      {folder_picker ? <FolderButton pick={pick} startAt={path} onPicked={setPath} /> : null}
      <AccessSelect label={t("permissions.new_root_access")} access={access} onChange={setAccess} />
      <button type="submit" data-testid="add-root" disabled={path === ""}>
        {t("permissions.add_root")}
      </button>
    </form>
  );
}
