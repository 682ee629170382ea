import type { ReactNode } from "react";
import {
  Button,
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
import { Icon } from "./icon.tsx";

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
        <Button className="quiet" aria-label={t("activity.pick_day")}>
          <Icon name="calendar" />
        </Button>
      </Group>
      <Popover className="popover">
        <Dialog className="calendar-dialog">
          <Calendar className="calendar">
            <header className="calendar-head">
              <Button slot="previous" className="quiet">
                <Icon name="back" />
              </Button>
              <Heading level={2} />
              <Button slot="next" className="quiet">
                <Icon name="forward" />
              </Button>
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
