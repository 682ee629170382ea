import { useState } from "react";
import { Button, Dialog, DialogTrigger, Heading, Popover } from "react-aria-components";
import { EXPORT_FORMATS, type ExportFormat } from "../../app/contract/audit-log.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { useSave } from "../parts/files.ts";
import { Tick } from "../parts/tick.tsx";
import { wallClock } from "../parts/use-now.ts";
import { type TimeChoice, timeSpan } from "./log-filter.ts";

export function ExportLog({ time }: { readonly time: TimeChoice }) {
  const { t } = useTexts();
  return (
    <DialogTrigger>
      <Button data-testid="activity-export">{t("activity.export")}</Button>
      <Popover className="popover export-popover" placement="bottom end">
        <Dialog className="side-dialog">
          {({ close }) => <ExportChoice time={time} onDone={close} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function ExportChoice({ time, onDone }: Readonly<{ time: TimeChoice; onDone: () => void }>) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const save = useSave();
  const [targets, setTargets] = useState(false);
  const choose = (format: ExportFormat): void => {
    onDone();
    const { from, to } = timeSpan(time, wallClock());
    const part = {
      ...(from === null ? {} : { from }),
      // A file's period includes its last millisecond; the list's does not.
      ...(to === null ? {} : { to: to - 1 }),
    };
    void save(bridge.call("activity.export", { format, targets, ...part }));
  };
  return (
    <>
      <Heading slot="title" level={2}>
        {t("activity.export_title")}
      </Heading>
      <p>{time.kind === "all" ? t("activity.export_all") : t("activity.export_time")}</p>
      <p>{t("activity.export_holds")}</p>
      <Tick on={targets} onChange={setTargets} testId="activity-export-targets">
        <span>{t("activity.export_targets")}</span>
      </Tick>
      <div className="button-row">
        {EXPORT_FORMATS.map((format) => (
          <Button
            key={format}
            data-testid={`activity-export-${format}`}
            // A table has no place for it.
            isDisabled={targets && format === "csv"}
            onPress={() => choose(format)}
          >
            {t(`activity.export_as.${format}`)}
          </Button>
        ))}
      </div>
    </>
  );
}
