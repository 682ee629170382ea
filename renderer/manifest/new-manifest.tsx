import { type ReactNode, useCallback, useId, useRef } from "react";
import type { NewManifestView } from "../../app/bridge/manifest-views.ts";
import { useHost } from "../host-context.tsx";
import { type EditorHandle, ManifestEditor, useManifestCheck } from "./manifest-editor.tsx";
import { ManifestVerdict } from "./manifest-findings.tsx";
import { ManifestRemarks } from "./manifest-remarks.tsx";

interface NewManifestProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isDisabled?: boolean;
  /** Below it, with what the manifest asks for; null while it cannot be used. */
  readonly children: (asks: NewManifestView["asks"]) => ReactNode;
}

/** The manifest of an agent that is not there yet, checked while it is written. */
export function NewManifest({ text, onText, isDisabled = false, children }: NewManifestProps) {
  const { bridge } = useHost();
  const editor = useRef<EditorHandle>(null);
  const id = useId();
  const look = useCallback(
    (written: string) => bridge.call("manifest.check_new", { text: written }),
    [bridge],
  );
  const found = useManifestCheck<NewManifestView>(text, null, look);
  return (
    <>
      <ManifestEditor
        text={text}
        onText={onText}
        invalid={(found.check?.problems.length ?? 0) > 0}
        describedBy={id}
        isDisabled={isDisabled}
        handle={editor}
      />
      <div id={id}>
        <ManifestVerdict state={found} testId="new-manifest-verdict" />
        {found.check === null ? null : (
          <ManifestRemarks
            problems={found.check.problems}
            warnings={found.check.warnings}
            onGo={(line, column) => editor.current?.goTo(line, column)}
          />
        )}
      </div>
      {children(found.check?.asks ?? null)}
    </>
  );
}
