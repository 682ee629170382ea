import { type ReactNode, useState } from "react";
import {
  Button,
  Disclosure,
  DisclosurePanel,
  type DisclosureProps,
  Heading,
} from "react-aria-components";
import { Icon, type IconName } from "./icon.tsx";

interface FoldProps extends Omit<DisclosureProps, "children"> {
  readonly title: string;
  readonly level: 2 | 3;
  /** Instead of the arrow. */
  readonly icon?: IconName;
  /** Of the button. */
  readonly testId?: string;
  readonly children: ReactNode;
}

export function Fold({ title, level, icon = "unfold", testId, children, ...whole }: FoldProps) {
  return (
    <Disclosure {...whole}>
      <Heading level={level} className="fold-head">
        <Button
          slot="trigger"
          className={icon === "unfold" ? "quiet fold-arrow" : "quiet"}
          data-testid={testId}
        >
          <Icon name={icon} />
          {title}
        </Button>
      </Heading>
      <DisclosurePanel>{children}</DisclosurePanel>
    </Disclosure>
  );
}

/** Empty while folded: its content is requested when it is opened. */
export function CallFold(props: Readonly<{ title: string; testId: string; children: ReactNode }>) {
  const { title, testId, children } = props;
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
