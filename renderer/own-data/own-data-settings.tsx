import { Button } from "react-aria-components";
import { useAct, useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmButton } from "../parts/dialogs.tsx";
import { useSave } from "../parts/files.ts";
import { ImportData } from "./import-data.tsx";

export function OwnDataSettings() {
  const { t } = useTexts();
  return (
    <>
      <h2>{t("own_data.title")}</h2>
      <section className="card settings" data-testid="own-data">
        <ExportEverything />
        <ImportData />
        <RemoveEverything />
      </section>
    </>
  );
}

function ExportEverything() {
  const { t } = useTexts();
  const { bridge } = useHost();
  const save = useSave();
  return (
    <div className="setting deed">
      <span>{t("own_data.export_body")}</span>
      <Button
        data-testid="own-data-export"
        onPress={() => void save(bridge.call("data.export", {}))}
      >
        {t("own_data.export")}
      </Button>
    </div>
  );
}

function RemoveEverything() {
  const { t } = useTexts();
  const act = useAct();
  return (
    <div className="setting deed">
      <span>{t("own_data.remove_body")}</span>
      <ConfirmButton
        testId="own-data-remove"
        title={t("own_data.remove_title")}
        body={t("own_data.remove_means")}
        confirm={t("own_data.remove_confirm")}
        onConfirm={() => void act("data.remove", {})}
      >
        {t("own_data.remove")}
      </ConfirmButton>
    </div>
  );
}
