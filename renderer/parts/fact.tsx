import { VisibleText } from "./visible-text.tsx";

interface FactProps {
  readonly name: string;
  readonly text: string;
  /** The word in the log, if `text` is its translation. */
  readonly detail?: string;
}

export function Fact({ name, text, detail }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <VisibleText text={text} />
        {detail === undefined || detail === text ? null : (
          <code className="muted">
            <VisibleText text={detail} />
          </code>
        )}
      </dd>
    </div>
  );
}
