import { useTexts } from "../language.tsx";
import { FilterSelect } from "./filter-select.tsx";
import { TIME_PRESETS, type TimeChoice } from "./log-filter.ts";
import { MomentField } from "./moment-field.tsx";

interface TimeFilterProps {
  readonly time: TimeChoice;
  readonly onChange: (time: TimeChoice) => void;
}

const CHOICES = [...TIME_PRESETS, "range"] as const;

/** The period shown: a preset, or from one moment to another. */
export function TimeFilter({ time, onChange }: TimeFilterProps) {
  const { t } = useTexts();
  return (
    <>
      <FilterSelect
        label={t("activity.time")}
        all={t("activity.time_all")}
        chosen={time.kind === "all" ? null : time.kind}
        options={CHOICES.map((word) => ({ word, label: t(`activity.time_${word}`) }))}
        onChoose={(kind) => onChange(choiceOf(kind))}
        testId="activity-filter-time"
      />
      {time.kind === "range" ? (
        <>
          <MomentField
            label={t("activity.from")}
            at={time.from}
            onChange={(from) => onChange({ ...time, from })}
            testId="activity-from"
          />
          <MomentField
            label={t("activity.to")}
            at={time.to}
            onChange={(to) => onChange({ ...time, to })}
            testId="activity-to"
          />
        </>
      ) : null}
    </>
  );
}

function choiceOf(kind: (typeof CHOICES)[number] | null): TimeChoice {
  if (kind === null) return { kind: "all" };
  return kind === "range" ? { kind, from: null, to: null } : { kind };
}
