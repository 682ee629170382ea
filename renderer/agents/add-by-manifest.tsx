import { useState } from "react";
import type { NewManifestView } from "../../app/bridge/manifest-views.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { NewManifest } from "../manifest/new-manifest.tsx";
import { AgentSaid } from "../parts/agent-said.tsx";
import { CopyFact } from "../parts/fact.tsx";
import { Fold } from "../parts/fold.tsx";
import { ScopeText } from "../parts/scope-list.tsx";

/** For an agent that is not connected yet: checks its manifest before the agent asks to connect. */
export function AddByManifest() {
  const { t } = useTexts();
  const [text, setText] = useState("");
  return (
    <Fold
      title={t("agents.add_by_manifest")}
      level={2}
      className="card by-manifest"
      data-testid="add-by-manifest"
      testId="add-by-manifest-open"
    >
      <div className="new-agent">
        <p className="muted">{t("agents.add_body")}</p>
        <NewManifest text={text} onText={setText}>
          {(asks) => (asks === null ? null : <PairingFacts asks={asks} />)}
        </NewManifest>
      </div>
    </Fold>
  );
}

type Asks = NonNullable<NewManifestView["asks"]>;

function PairingFacts({ asks }: { readonly asks: Asks }) {
  const { t } = useTexts();
  const { url: hub_url } = useSnapshot().hub;
  return (
    <>
      <h3>{t("agents.add_asks")}</h3>
      {asks.scopes.length === 0 ? <p className="muted">{t("agents.no_scopes")}</p> : null}
      <ul className="scope-group">
        {asks.scopes.map((scope) => (
          <li className="scope-row" key={scope.id}>
            <ScopeText scope={scope} limited>
              <AgentSaid said={scope.said} scope={scope.id} />
            </ScopeText>
          </li>
        ))}
      </ul>
      <h3>{t("agents.add_developer")}</h3>
      <p className="muted">{t("agents.add_developer_body")}</p>
      <dl className="facts" data-testid="pairing-facts">
        <CopyFact name={t("settings.hub")} text={hub_url} />
        <CopyFact name={t("agents.manifest_digest")} text={asks.digest} />
        <CopyFact
          name={t("agents.sdk_call")}
          text={`HasheeAgent.pair({ name, manifest, baseUrl: "${hub_url}" })`}
        />
      </dl>
    </>
  );
}
