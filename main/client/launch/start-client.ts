import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HubRecovery } from "../../../hub/index.ts";
import { randomBytes } from "../../../runtime/crypto/node-primitives.ts";
import { replaceOwnFile } from "../../../runtime/files/own-file.ts";
import { openHookChannel } from "../../channels/hooks/hook-channel.ts";
import { hubKeyDirectory } from "../../channels/hub-keys.ts";
import { hubRequest } from "../../channels/hub-rest.ts";
import { clientFolder } from "../../channels/local/client-records.ts";
import { openMcpChannel } from "../../channels/mcp/mcp-channel.ts";
import { catalogueManifest } from "../../channels/mcp/tool-offers.ts";
import { type KeyLoss, passwordThread, secretSealing } from "../../keys/index.ts";
import { type FoundPolicy, findPolicy, systemPolicyFile } from "../../policy/system-policy.ts";
import { BoundedValidator } from "../../schemas/bounded-validator.ts";
import { besideOwnSchemas, besidePlainSchemas } from "../../schemas/own-schemas.ts";
import { openStore } from "../../storage/index.ts";
import { sweepTemporaryFolders } from "../../tools/command/temporary-folder.ts";
import { watchOwnPorts } from "../../tools/fetch/own-ports.ts";
import { createFileService } from "../../tools/files/file-service.ts";
import { foldNotifications } from "../../tools/platform/notification-fold.ts";
import { createToolBox } from "../../tools/toolbox.ts";
import { AgentNaming, Petnames } from "../agents/agent-naming.ts";
import { systemTexts } from "../bridge/host-state.ts";
import { openTakeBack } from "../calls/take-back.ts";
import type { HostParts, RunningHost, StartGuard } from "../host-port.ts";
import { envelopeFault } from "../keys/envelope-reports.ts";
import { openPersonEncryption } from "../keys/person-encryption.ts";
import { createProgram } from "../program.ts";
import { CurrentHub } from "./current-hub.ts";
import { anchorFile, openOutsideFolder } from "./data-folder.ts";
import { type Flags, flagError } from "./flags.ts";
import type { InstanceLock } from "./instance-lock.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { followWriting, giveMemoryBack, maintainStore, ownMemory } from "./maintenance.ts";
import { launchKey } from "./replace-keys.ts";
import { startEmbeddedHub } from "./start-embedded-hub.ts";
import { brokenLine, tellFound } from "./tell-found.ts";
import { VERSION } from "./version.ts";

const DAY_MS = 24 * 3_600_000;

/** Where programs on this machine find the hub of a data folder. */
const HUB_ADDRESS_FILE = "hub.url";

interface Place {
  readonly dataDir: string;
  readonly lock: InstanceLock;
  /** Keys that were lost; what only they opened was set aside. */
  readonly lost: readonly KeyLoss[];
  readonly guard: StartGuard | null;
  readonly removeData: () => void;
}

/**
 * Opens all parts of the client on its locked data folder, and shows it through the host.
 * @param ending ends what was started, also when a later part fails
 */
export async function startClient(
  options: LaunchOptions,
  parts: HostParts,
  { dataDir, lock, lost, guard, removeData }: Place,
  ending: AsyncDisposableStack,
): Promise<void> {
  const ownPorts = watchOwnPorts();
  ending.defer(() => ownPorts.end());
  const {
    flags,
    time,
    programs,
    anchorFolder,
    tokenFolder,
    sendLimits = {},
    stdout,
    stderr,
  } = options;
  const report = (error: unknown) => stderr(faultLine(error));
  const found = findPolicy(options.systemPolicy ?? systemPolicyFile(), flags.policyFile ?? null);
  const hubPort = managedHubPort(found, flags);
  void sweepTemporaryFolders(dataDir);
  const anchors = anchorFolder === undefined ? null : openOutsideFolder(anchorFolder, report);
  const tokens = tokenFolder === undefined ? null : openOutsideFolder(tokenFolder, report);
  const outside = [anchors, tokens].filter((folder) => folder !== null);
  const ownFolders = [dataDir, ...outside] as const;
  const opened = openStore({
    dataDir,
    wallClock: time.wall,
    monotonic: time.sleepAware ?? time.monotonic,
    random: randomBytes,
    readerWorker: programs.readerWorker,
    reserve: true,
    retentionMs: found.policy.retentionDays * DAY_MS,
    ...(anchors === null
      ? {}
      : {
          anchor: {
            file: anchorFile(anchors, dataDir),
            scheduler: time.scheduler,
            failed: report,
          },
        }),
  });
  const { store } = opened;
  ending.defer(() => {
    store.close();
    return store.settled();
  });
  ending.defer(maintainStore(store, time.scheduler, report));
  if (flags.lang !== null) await store.settings.update({ language: flags.lang });

  const hostKey = await launchKey(options, parts, dataDir, store.settings);
  store.keepSubjects(hostKey.keyFor("log subjects"));
  const validator = new BoundedValidator({ workerUrl: programs.schemaWorker });
  ending.defer(() => validator.close());
  const files = createFileService({ workerUrl: programs.fileWorker, ownData: ownFolders });
  ending.defer(() => files.close());
  ending.defer(giveMemoryBack(ownMemory([validator, files, store]), time.scheduler));
  const { settings } = store;
  const { snapshots, takeBack } = openTakeBack(store, hostKey.keyFor("kept files"), files);
  const texts = () => systemTexts(settings.current().language);
  let recovery: HubRecovery | null = null;
  const hub = await CurrentHub.open(flags.hub ?? null, {
    settings,
    hasOwn: existsSync(join(dataDir, "hub.db")),
    isManaged: found.policy.hubPort !== null,
    startOwn: () =>
      startEmbeddedHub({
        recovered: (found) => {
          recovery = found;
        },
        dataDir,
        port: hubPort,
        time,
        settings,
        validator,
        limits: sendLimits,
      }),
    now: () => time.wall.now(),
    refused: (code, url) => stderr(`The hub at ${url} does not let you in (${code}).`),
    moved: (url) => replaceOwnFile(join(dataDir, HUB_ADDRESS_FILE), `${url}\n`),
  });
  ending.defer(() => hub.close());

  const end = await openPersonEncryption({
    dataDir,
    hostKey,
    store,
    ownerId: hub.userId,
    directory: hubKeyDirectory(
      hubRequest(
        () => hub.url,
        () => hub.issueAccessToken(),
      ),
    ),
    passwords: passwordThread(programs.passwordWorker),
  });
  hub.proveBy(end.identity);
  ending.defer(() => end.e2ee.close().catch(report));
  const petnames = new Petnames(settings);
  const naming = new AgentNaming({
    agents: store.agents,
    petnames,
    book: end.e2ee,
    folderOf: (agentId) => clientFolder(settings, agentId),
    texts,
  });
  const folding = foldNotifications(() => time.monotonic.now());
  const program = createProgram({
    ...parts,
    version: VERSION,
    dataDir,
    time,
    store,
    hub,
    hostKey,
    secrets: secretSealing(hostKey, parts.keyVault ?? null),
    end,
    sealing: options.sealing ?? end.e2ee,
    petnames,
    naming,
    folding,
    snapshots,
    takeBack,
    tools: createToolBox({
      files,
      snapshots,
      platform: parts.platform,
      command: { ownFolders },
      fetch: { ownPorts: () => ownPorts.list() },
      folding,
      texts,
      wanted: () => settings.current().notifications,
      label: (agentId) => naming.label(agentId),
    }),
    validator: besideOwnSchemas(
      catalogueManifest().tools.map(({ input_schema }) => input_schema),
      besidePlainSchemas(validator),
    ),
    checkSchema: (owner, schema) => validator.check(owner, schema),
    policy: found,
    removeData,
    folderPicker: () => parts.platform.folderPicker(),
    channels: [
      openMcpChannel({ dataDir, version: VERSION, scheduler: time.scheduler }),
      openHookChannel({
        dataDir,
        scheduler: time.scheduler,
        lineWorker: programs.lineWorker,
      }),
      ...(options.channels ?? []),
    ],
    apps: async () => {
      const { ownAppConnections } = await import("../../connected-apps/app-connections.ts");
      const { ownCommand, node } = parts;
      return ownAppConnections(
        dataDir,
        ownCommand === undefined ? { ...programs, node } : { ownCommand },
      );
    },
    shipped: programs,
    report,
  });
  ending.defer(() => program.close());
  ending.defer(followWriting(store, time.scheduler, program));
  tellFound({ opened, recovery, ownFolders, lost, guard, policy: found.view }, program, stderr);
  const host = await parts.start(program);
  ending.defer(() => host.close());
  ending.defer(
    await lock.serve({
      raise: (link) => host.raise(link),
      // With a broken policy nothing may be changed (contract §13).
      ownerToken: async () => (found.view?.state === "broken" ? null : hub.issueAccessToken()),
    }),
  );
  if (flags.link !== undefined) host.raise(flags.link);
  if (found.view?.state === "broken") stderr(brokenLine(found.view.fault));
  else program.open();
  announceHub(dataDir, hub.url, ending);
  sayReady(parts, host, hub.url, { stdout, stderr });
  if (!hub.isOwn) stderr(`Agents ask for you there as ${hub.userId}`);
  guard?.ready();
}

/** @throws FlagError if the person asked for another hub or port than the policy's */
function managedHubPort({ policy }: FoundPolicy, { hub, hubPort }: Flags): number | null {
  if (policy.hubPort === null) return hubPort;
  const isOther = hubPort !== null && hubPort !== policy.hubPort;
  if (hub === undefined && !isOther) return policy.hubPort;
  throw flagError("bad_flag", {
    message: `${isOther ? "--hub-port" : "--hub"}: the policy of this computer sets ${policy.hubPort}`,
  });
}

function announceHub(dataDir: string, url: string, ending: AsyncDisposableStack): void {
  const file = join(dataDir, HUB_ADDRESS_FILE);
  replaceOwnFile(file, `${url}\n`);
  ending.defer(() => rmSync(file, { force: true }));
}

function sayReady(
  { kind }: HostParts,
  { ui }: RunningHost,
  hub: string,
  { stdout, stderr }: Pick<LaunchOptions, "stdout" | "stderr">,
): void {
  stderr(`Consentry is ready: ${ui}`);
  stderr(`Agents reach the hub at ${hub}`);
  stdout(JSON.stringify({ event: "ready", host: kind, ui, hub }));
}

/** Name and code only: a message may carry what an agent sent (threats: secrets in logs). */
export function faultLine(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const code = error instanceof Error && "code" in error ? ` ${String(error.code)}` : "";
  const count = envelopeFault.is(error) && (error.details ?? 1) > 1 ? ` (${error.details})` : "";
  return `A part of Consentry failed: ${name}${code}${count}`;
}
