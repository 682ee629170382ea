import { type ReactNode, useState } from "react";
import { Button, Disclosure, DisclosurePanel } from "react-aria-components";
import { Icon } from "../parts/icon.tsx";

interface CallFoldProps {
  readonly title: string;
  readonly testId: string;
  readonly children: ReactNode;
}

/** Empty while folded: its content is requested when it is opened. */
export function CallFold({ title, testId, children }: CallFoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure className="call-fold" isExpanded={open} onExpandedChange={setOpen}>
      <Button slot="trigger" className="quiet" data-testid={testId}>
        <Icon name="unfold" />
        {title}
      </Button>
      <DisclosurePanel>{open ? children : null}</DisclosurePanel>
    </Disclosure>
  );
}
