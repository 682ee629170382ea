import { Button, Input, Label, SearchField } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";

interface SearchPermissionsProps {
  readonly typed: string;
  readonly onChange: (typed: string) => void;
}

export function SearchPermissions({ typed, onChange }: SearchPermissionsProps) {
  const { t } = useTexts();
  return (
    <SearchField className="search-field" value={typed} onChange={onChange}>
      <Label>{t("permissions.search")}</Label>
      <div className="find-input">
        <Icon name="search" />
        <Input
          data-testid="permissions-search"
          placeholder={t("permissions.search_hint")}
          spellCheck={false}
          autoComplete="off"
        />
        <Button className="quiet">
          <Icon name="close" />
        </Button>
      </div>
    </SearchField>
  );
}
