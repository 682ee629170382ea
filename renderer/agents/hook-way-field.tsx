import { useId } from "react";
import { HOOK_WAYS, type HookWay } from "../../app/contract/hook-way.ts";
import { useTexts } from "../language.tsx";

interface WaysFieldProps<W extends string> {
  readonly title: string;
  readonly ways: readonly { readonly word: W; readonly name: string; readonly means: string }[];
  readonly chosen: W;
  readonly onChange: (word: W) => void;
  readonly testId: string;
}

export function WaysField<W extends string>(props: WaysFieldProps<W>) {
  const { title, ways, chosen, onChange, testId } = props;
  const id = useId();
  return (
    <fieldset className="hook-ways" data-testid={testId}>
      <legend>{title}</legend>
      {ways.map(({ word, name, means }) => (
        <label key={word}>
          <input
            type="radio"
            name={id}
            checked={word === chosen}
            onChange={() => onChange(word)}
            data-testid={`${testId}-${word}`}
          />
          <span>
            <strong>{name}</strong> <span className="muted">{means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function HookWayField(props: Readonly<{ way: HookWay; onChange: (way: HookWay) => void }>) {
  const { way, onChange } = props;
  const { t } = useTexts();
  return (
    <WaysField
      title={t("agents.hook_way.title")}
      ways={HOOK_WAYS.map((word) => ({
        word,
        name: t(`agents.hook_way.${word}`),
        means: t(`agents.hook_way_means.${word}`),
      }))}
      chosen={way}
      onChange={onChange}
      testId="hook-way"
    />
  );
}
