import type { ReactNode } from "react";
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
} from "react-aria-components";
import { useTexts } from "../language.tsx";
import { IconButton } from "./icon.tsx";

/** What a field for a date consists of: its label, the parts that are typed, and the days to choose from. */
export function DateParts({ label, testId }: Readonly<{ label: ReactNode; testId?: string }>) {
  const { t } = useTexts();
  return (
    <>
      <Label>{label}</Label>
      <Group className="moment">
        <DateInput className="moment-input" data-testid={testId}>
          {(segment) => <DateSegment className="moment-segment" segment={segment} />}
        </DateInput>
        <IconButton icon="calendar" className="quiet" aria-label={t("activity.pick_day")} />
      </Group>
      <Popover className="popover">
        <Dialog className="calendar-dialog">
          <Calendar className="calendar">
            <header className="calendar-head">
              <IconButton icon="back" slot="previous" className="quiet" />
              <Heading level={2} />
              <IconButton icon="forward" slot="next" className="quiet" />
            </header>
            <CalendarGrid>
              {(date) => <CalendarCell className="calendar-day" date={date} />}
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </>
  );
}
