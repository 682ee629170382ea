import { guardOf } from "../../app/contract/checked.ts";
import { KeysPublish, LedgerAppend } from "../../app/protocol/v1/key-rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { bundleFor, identityFor, publishKeys, standingOf } from "../keys/key-directory.ts";
import { appendToLedger, ledgerOf, relationFor } from "../keys/ledgers.ts";
import { Refusal } from "../refusal.ts";
import { subjectOf } from "../registry/subject-of.ts";
import {
  created,
  ok,
  pathParam,
  type RestRequest,
  type Route,
  routeWithBody,
} from "../rest/route.ts";

const isKeysPublish = guardOf(KeysPublish);
const isLedgerAppend = guardOf(LedgerAppend);

export function keyRoutes(parts: HubParts): readonly Route[] {
  return [
    routeWithBody({
      method: "PUT",
      path: "/keys/mine",
      auth: "own",
      isBody: isKeysPublish,
      handle: async (body, { bearer }) =>
        ok(publishKeys(parts, await subjectOf(parts, bearer), body)),
    }),
    {
      method: "GET",
      path: "/keys/mine",
      auth: "own",
      handle: async ({ bearer }) => ok(standingOf(parts, (await subjectOf(parts, bearer)).id)),
    },
    {
      method: "GET",
      path: "/keys/:owner_id",
      auth: "own",
      handle: async (request) =>
        ok(
          identityFor(
            parts,
            await subjectOf(parts, request.bearer),
            pathParam(request, "owner_id"),
          ),
        ),
    },
    {
      method: "POST",
      path: "/keys/:owner_id/bundle",
      auth: "own",
      handle: async (request) =>
        ok(
          bundleFor(parts, await subjectOf(parts, request.bearer), pathParam(request, "owner_id")),
        ),
    },
    {
      method: "GET",
      path: "/h2a/relations/:id/ledger",
      auth: "own",
      async handle(request) {
        const asker = await subjectOf(parts, request.bearer);
        const relation = relationFor(parts, asker, pathParam(request, "id"));
        return ok(ledgerOf(parts, relation, fromOf(request)));
      },
    },
    routeWithBody({
      method: "POST",
      path: "/h2a/relations/:id/ledger",
      auth: "person",
      isBody: isLedgerAppend,
      handle(body, request) {
        const person = { id: parts.userId, type: "human" } as const;
        const relation = relationFor(parts, person, pathParam(request, "id"));
        return created(appendToLedger(parts, relation, body));
      },
    }),
  ];
}

/** @throws Refusal BAD_REQUEST, fault `from` */
function fromOf({ query }: RestRequest): number {
  const text = query.get("from") ?? "0";
  if (!/^\d{1,9}$/.test(text)) throw new Refusal("BAD_REQUEST", { fault: "from" });
  return Number(text);
}
