import { join } from "node:path";
import { openPostgres } from "../../hub/postgres/open-postgres.ts";
import { HubRig } from "../../hub/testing/hub-rig.ts";
import { InvitedPerson } from "../../hub/testing/invited-person.ts";
import { dropTestDatabases, hasPostgres, testDatabase } from "../../hub/testing/test-postgres.ts";
import { realClock } from "../../sdk/options.ts";
import { interleave } from "../interleave.ts";
import { measure } from "../measure.ts";
import { reportOf } from "../report.ts";
import type { Subject } from "../subjects/subject.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const NOBODY = "0123456789abcdefghijkl";
const ACCOUNTS = 100;

/** What a stranger asks about somebody who has an account, beside the same about nobody. */
export async function lookUpSuite({
  flags,
  folder,
  ending,
  say,
}: SuiteParts): Promise<SuiteResult> {
  const pairs: (readonly [known: Subject, unknown: Subject])[] = [];
  for (const store of hasPostgres ? (["SQLite", "PostgreSQL"] as const) : (["SQLite"] as const)) {
    const database = store === "SQLite" ? undefined : await testDatabase(folder);
    const rig = new HubRig();
    ending.defer(async () => {
      await rig.end();
      await dropTestDatabases();
    });
    let minutes = 0;
    await rig.start({
      ...{ clock: realClock, scheduler: realClock, databasePath: join(folder, "hub.db") },
      // Every request is in a minute of its own: its limit is not what is measured.
      monotonic: { now: () => (minutes += 60_000) },
      ...(database === undefined
        ? {}
        : { open: (options) => openPostgres(database, { ...options, scheduler: realClock }) }),
    });
    say(`Inviting ${ACCOUNTS} people, on ${store}.`);
    for (let nth = 0; nth < ACCOUNTS; nth += 1) await InvitedPerson.at(rig, `person${nth}`);
    const stranger = await InvitedPerson.at(rig, "stranger");
    const subject = (name: string, once: () => Promise<unknown>): Subject => ({
      name: `${name}, ${store}`,
      modes: [1],
      turn: (order) => measure(once, order),
      close: async () => undefined,
    });
    const keys = (id: string) => () => stranger.ask("GET", `/keys/${id}`);
    const signIn = async (id: string) => {
      const person = new InvitedPerson(rig.url, id);
      // Made beforehand: a proof holds for a minute, and one hub's time is measured, not the stranger's.
      let proof = await person.proof();
      let until = Date.now() + 30_000;
      return async () => {
        if (Date.now() > until) {
          proof = await person.proof();
          until = Date.now() + 30_000;
        }
        return rig.rest("POST", "/auth/token", { body: proof });
      };
    };
    pairs.push(
      [subject("keys of somebody", keys("person7")), subject("keys of nobody", keys(NOBODY))],
      [
        subject("sign-in as somebody", await signIn("person7")),
        subject("sign-in as nobody", await signIn(NOBODY)),
      ],
    );
  }
  const measured = await interleave(pairs.flat(), flags, say);
  return {
    about: `${flags.rounds} rounds of ${flags.calls} look-ups at a hub with ${ACCOUNTS} accounts, after a warm-up`,
    rows: pairs.flatMap(([ours, peer]) =>
      reportOf(
        measured.filter(({ subject }) => subject === ours || subject === peer),
        { ours: ours.name, peer: peer.name },
      ),
    ),
    comparisons: [],
    notes: hasPostgres ? [] : ["no PostgreSQL to measure with"],
  };
}
