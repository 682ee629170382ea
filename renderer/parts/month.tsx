import { Button, Calendar, CalendarCell, CalendarGrid, Heading } from "react-aria-components";
import { Icon } from "./icon.tsx";

/** The days to choose from, in a field's popover. */
export function Month() {
  return (
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
      <CalendarGrid>{(date) => <CalendarCell className="calendar-day" date={date} />}</CalendarGrid>
    </Calendar>
  );
}
