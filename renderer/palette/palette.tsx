import { useEffect, useState } from "react";
import { Autocomplete, Input, Menu, MenuItem, TextField, useFilter } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { isPageKey } from "../parts/page-keys.ts";
import { useCommands } from "./use-commands.ts";

interface PaletteProps {
  readonly onOpen: () => void;
  /** It was left without a command. */
  readonly onLeave: () => void;
  readonly showRequests: () => void;
}

/** Commands found by typing, opened by a key. */
export function Palette({ onOpen, onLeave, showRequests }: PaletteProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const pressed = (event: KeyboardEvent): void => {
      if (!isPageKey("palette", event)) return;
      event.preventDefault();
      if (open) return;
      onOpen();
      setOpen(true);
    };
    document.addEventListener("keydown", pressed, { signal: listening.signal });
    return () => listening.abort();
  }, [open, onOpen]);
  return (
    <FormDialog
      title={t("palette.title")}
      testId="palette"
      isOpen={open}
      onClose={() => {
        setOpen(false);
        onLeave();
      }}
    >
      <Commands showRequests={showRequests} onRun={() => setOpen(false)} />
    </FormDialog>
  );
}

interface CommandsProps extends Pick<PaletteProps, "showRequests"> {
  readonly onRun: () => void;
}

function Commands({ showRequests, onRun }: CommandsProps) {
  const { t } = useTexts();
  const { contains } = useFilter({ sensitivity: "base" });
  const commands = useCommands(showRequests);
  return (
    <Autocomplete filter={(label, typed) => contains(label, typed.trim())}>
      <TextField aria-label={t("palette.find")} className="palette-find" autoFocus>
        <Input placeholder={t("palette.find")} data-testid="palette-find" />
      </TextField>
      <Menu
        aria-label={t("palette.title")}
        className="options palette-commands"
        items={commands}
        onAction={(id) => {
          onRun();
          commands.find((command) => command.id === id)?.run();
        }}
        renderEmptyState={() => <p className="muted">{t("palette.none")}</p>}
      >
        {({ id, label }) => (
          <MenuItem id={id} textValue={label} data-testid="palette-command">
            {label}
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  );
}
