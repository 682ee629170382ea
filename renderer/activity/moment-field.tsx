import { fromAbsolute, getLocalTimeZone } from "@internationalized/date";
import {
  Button,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Label,
  Popover,
} from "react-aria-components";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { Month } from "../parts/month.tsx";

interface MomentFieldProps {
  readonly label: string;
  /** Epoch milliseconds; null: no limit on this side. */
  readonly at: number | null;
  readonly onChange: (at: number | null) => void;
  readonly testId: string;
}

/** A date and a time of day, in the person's time zone and format. */
export function MomentField({ label, at, onChange, testId }: MomentFieldProps) {
  const { t } = useTexts();
  const zone = getLocalTimeZone();
  return (
    <DatePicker
      className="filter"
      data-testid={testId}
      granularity="minute"
      hideTimeZone
      value={at === null ? null : fromAbsolute(at, zone)}
      placeholderValue={fromAbsolute(startOfToday(), zone)}
      onChange={(value) => onChange(value === null ? null : value.toDate().getTime())}
    >
      <Label>{label}</Label>
      <Group className="moment">
        <DateInput className="moment-input">
          {(segment) => <DateSegment className="moment-segment" segment={segment} />}
        </DateInput>
        <Button className="quiet" aria-label={t("activity.pick_day")}>
          <Icon name="calendar" />
        </Button>
      </Group>
      <Popover className="popover">
        <Dialog className="calendar-dialog">
          <Month />
        </Dialog>
      </Popover>
    </DatePicker>
  );
}

const startOfToday = (): number => new Date().setHours(0, 0, 0, 0);
