import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { MemoryRecords } from "../../../app/encryption/testing/correspondents.ts";
import { NO_POLICY } from "../../../app/policy/policy-file.ts";
import { startHub } from "../../../hub/index.ts";
import { testHubOptions } from "../../../hub/testing/hub-options.ts";
import { HasheeAgent } from "../../../sdk/index.ts";
import { hubKeyDirectory } from "../../channels/hub-keys.ts";
import { hubRequest } from "../../channels/hub-rest.ts";
import { ownAppConnections } from "../../connected-apps/app-connections.ts";
import { hostKeyFrom, passwordThread, secretSealing } from "../../keys/index.ts";
import { openStore } from "../../storage/index.ts";
import { PROGRAMS } from "../../testing/built-programs.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { createFileService } from "../../tools/files/file-service.ts";
import { foldNotifications } from "../../tools/platform/notification-fold.ts";
import { testToolBox } from "../../tools/testing/test-tool-box.ts";
import { AgentNaming, Petnames } from "../agents/agent-naming.ts";
import { systemTexts } from "../bridge/host-state.ts";
import { openTakeBack } from "../calls/take-back.ts";
import { openPersonEncryption } from "../keys/person-encryption.ts";
import { createProgram } from "../program.ts";
import { eventually } from "../testing/eventually.ts";
import { MemoryPlatform } from "../testing/memory-platform.ts";
import { fastClock, PATIENT } from "../testing/test-agent.ts";
import { MANIFEST } from "../testing/test-manifest.ts";
import { systemTime } from "./system-time.ts";

it("a call that is being examined when the program closes is left for the next start", async () => {
  await using ending = new AsyncDisposableStack();
  const dataDir = scratchFolder();
  const time = systemTime();
  const { store } = openStore({
    dataDir,
    wallClock: time.wall,
    monotonic: time.monotonic,
    random: randomBytes,
  });
  ending.defer(() => store.close());
  const hub = await startHub(testHubOptions);
  ending.defer(() => hub.close());
  const files = createFileService({ workerUrl: PROGRAMS.fileWorker });
  ending.defer(() => files.close());
  const examining = Promise.withResolvers<void>();
  const verdict = Promise.withResolvers<{ readonly kind: "valid" }>();
  const hostKey = hostKeyFrom(randomBytes(32));
  const end = await openPersonEncryption({
    dataDir,
    hostKey,
    store,
    ownerId: hub.userId,
    directory: hubKeyDirectory(hubRequest(hub.url, () => hub.issueAccessToken())),
    passwords: passwordThread(PROGRAMS.passwordWorker),
  });
  const petnames = new Petnames(store.settings);
  const naming = new AgentNaming({
    agents: store.agents,
    petnames,
    book: end.e2ee,
    folderOf: () => null,
    texts: () => systemTexts("en"),
  });
  const program = createProgram({
    kind: "browser",
    version: "0.0.0",
    dataDir,
    time,
    store,
    hub: Object.assign(hub, {
      isOwn: true,
      fault: null,
      hear() {},
      reach: async () => hub,
      become: async () => {},
    }),
    hostKey,
    secrets: secretSealing(hostKey, null),
    policy: { policy: NO_POLICY, view: null },
    removeData: () => {},
    end,
    sealing: end.e2ee,
    petnames,
    naming,
    folding: foldNotifications(() => performance.now()),
    ...openTakeBack(store, hostKey.keyFor("kept files"), files),
    tools: testToolBox({ files, platform: new MemoryPlatform() }),
    validator: {
      validate() {
        examining.resolve();
        return verdict.promise;
      },
    },
    checkSchema: async () => [],
    folderPicker: () => null,
    page: null,
    deliverFile: async () => ({ kind: "cancelled" }),
    channels: [],
    apps: async () => ownAppConnections(dataDir, { ...PROGRAMS, node: process.execPath }),
    shipped: PROGRAMS,
    startProgram: () => ({ tell() {}, end() {} }),
    report: () => {},
  });
  program.open();
  const baseUrl = hub.url;
  const pairing = HasheeAgent.pair({
    name: "Slow",
    manifest: MANIFEST,
    baseUrl,
    onCode: () => {},
    clock: fastClock,
    keyStore: new MemoryRecords(),
  });
  const name = "pairing.answer" as const;
  await eventually(async () => {
    const allowed = ["app.snapshot", name] as const;
    const asked = { senderAllowed: true, allowed };
    const shown = await program.answer({ ...asked, name: "app.snapshot", args: {} });
    const result = shown.ok ? (shown.result as { pairings: { pairing_id: string }[] }) : undefined;
    const pairing_id = result?.pairings[0]?.pairing_id;
    if (pairing_id === undefined) return undefined;
    const args = { pairing_id, accept: true, granted_scopes: ["clipboard:write"] };
    return (await program.answer({ ...asked, name, args })).ok || undefined;
  });
  const { agent, credentials } = await pairing;
  ending.defer(() => agent.disconnect());
  const called = agent.callTool(
    credentials.conversationId,
    "write_clipboard",
    { text: "x" },
    PATIENT,
  );
  called.catch(() => {});
  await examining.promise;
  const closed = program.close();
  verdict.resolve({ kind: "valid" });
  await closed;
  expect((await store.activity.page({ limit: 10 })).rows).toEqual([]);
});
