import { Button } from "react-aria-components";
import type { FormerLog } from "../../app/bridge/own-data-calls.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { useSave } from "../parts/files.ts";
import { dateTime } from "../text/format.ts";

/** Logs of imported files, to be saved; they are not part of this log. */
export function FormerLogs({ logs }: { readonly logs: readonly FormerLog[] }) {
  const { t, language } = useTexts();
  const { bridge } = useHost();
  const save = useSave();
  return logs.map(({ name, until }) => (
    <div className="setting" key={name} data-testid="former-log">
      <span>{t("own_data.former_log", { time: dateTime(language, until) })}</span>
      <Button onPress={() => void save(bridge.call("data.former_log", { name }))}>
        {t("own_data.former_log_save")}
      </Button>
    </div>
  ));
}
