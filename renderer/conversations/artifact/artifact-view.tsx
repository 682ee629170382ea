import { useEffect, useState } from "react";
import { useTexts } from "../../language.tsx";
import { Icon } from "../../parts/icon.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { DataText } from "../message-text.tsx";
import { ArtifactBlockView } from "./artifact-block.tsx";
import { ArtifactForm, type ArtifactProps, NOTHING_ENTERED, useEntered } from "./artifact-form.tsx";
import { GivenAnswer } from "./given-answer.tsx";

/** What an agent arranged in blocks. All of it is the agent's: it is drawn, and nothing in it acts. */
export function ArtifactView(props: ArtifactProps) {
  const { artifact, item, view } = props;
  const { t } = useTexts();
  const sender = view.members.find(({ member_id }) => member_id === item.sender_id);
  if (!view.offers.artifacts || sender?.draws_artifacts === false) {
    return (
      <>
        <p className="muted">{t("artifact.not_offered")}</p>
        <DataText text={JSON.stringify(artifact.blocks, null, 2)} whole={null} />
      </>
    );
  }
  return (
    <div className="artifact" data-testid="artifact" data-revision={artifact.revision}>
      {artifact.title === null ? null : (
        <VisibleText within="h3" className="artifact-title" text={artifact.title} />
      )}
      <ArtifactParts {...props} />
      {artifact.missing ? (
        <p className="artifact-note muted" data-testid="artifact-missing">
          <Icon name="note" />
          {t("artifact.missing")}
        </p>
      ) : null}
    </div>
  );
}

function ArtifactParts(props: ArtifactProps) {
  const { artifact, item, view } = props;
  const { blocks, answer } = artifact;
  const [wasOpen] = useState(answer === null);
  const [entered, setEntered] = useEntered(props);
  const isOver = answer !== null && entered.size > 0;
  useEffect(() => {
    // It was sent, or never will be.
    if (isOver) setEntered(NOTHING_ENTERED);
  });
  const drawn = (index: number) => {
    const block = blocks[index];
    return block && <ArtifactBlockView block={block} item={item} view={view} />;
  };
  if (answer !== null) return <GivenAnswer {...{ artifact, answer, wasOpen, drawn }} />;
  return <ArtifactForm {...props} drawn={drawn} />;
}
