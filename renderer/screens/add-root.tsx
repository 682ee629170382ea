import { type FormEvent, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { RootView } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { FolderField } from "../parts/folder-field.tsx";
import { PathCautions } from "../parts/path-cautions.tsx";
import { useFolderHelp } from "../parts/use-folder-help.ts";
import { AccessSelect } from "./access-select.tsx";

interface AddRootProps {
  readonly agent_id: string;
  /** The path that is there at first. */
  readonly startAt?: string;
  readonly onAdded?: () => void;
}

/** Gives an agent another folder, by its path or through the system's picker. */
export function AddRoot({ agent_id, startAt = "", onAdded }: AddRootProps) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const help = useFolderHelp();
  const [path, setPath] = useState(startAt);
  const [access, setAccess] = useState<RootView["access"]>("read");
  const [problem, setProblem] = useState<BridgeErrorCode | null>(null);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await bridge.call("permissions.add_root", { agent_id, path, access });
      setPath("");
      setProblem(null);
      onAdded?.();
    } catch (error) {
      setProblem(errorCode(error));
    }
  };
  return (
    <form className="inline-form" onSubmit={(event) => void add(event)}>
      <FolderField
        help={help}
        label={t("permissions.add_root_label")}
        testId="add-root-path"
        value={path}
        onChange={setPath}
      />
      <AccessSelect label={t("permissions.new_root_access")} access={access} onChange={setAccess} />
      <button type="submit" data-testid="add-root" disabled={path === ""}>
        {t("permissions.add_root")}
      </button>
      <PathCautions path={path} />
      <p className="card-message" role="alert" data-testid="add-root-problem">
        {problem === null ? null : t(`bridge_error.${problem}`)}
      </p>
    </form>
  );
}
