import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { IconButton } from "./icon.tsx";

interface MoreMenuProps {
  /** What its actions are for. */
  readonly of: string;
  readonly testId: string;
  readonly actions: readonly {
    readonly testId: string;
    readonly words: string;
    readonly run: () => void;
  }[];
}

export function MoreMenu({ of, testId, actions }: MoreMenuProps) {
  const { t } = useTexts();
  return (
    <MenuTrigger>
      <IconButton
        icon="more"
        className="quiet"
        data-testid={testId}
        aria-label={t("agents.menu", { agent: of })}
      />
      <Popover className="popover" placement="bottom end">
        <Menu className="options">
          {actions.map(({ testId: id, words, run }) => (
            <MenuItem key={id} data-testid={id} onAction={run}>
              {words}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
