import { guardOf } from "../../app/contract/checked.ts";
import { MembersAdd } from "../../app/protocol/v1/rest.ts";
import { conversationView } from "../conversations/conversation-view.ts";
import { addMembers, removeMember } from "../conversations/groups.ts";
import type { HubParts } from "../hub-parts.ts";
import { subjectOf } from "../registry/subject-of.ts";
import { ok, pathParam, type Route, routeWithBody } from "../rest/route.ts";
import type { Subject } from "../sessions/session.ts";

const isMembersAdd = guardOf(MembersAdd);

export function memberRoutes(parts: HubParts): readonly Route[] {
  return [
    routeWithBody({
      method: "POST",
      path: "/conversations/:id/members",
      auth: "person",
      isBody: isMembersAdd,
      handle(wanted, request) {
        const person: Subject = { id: parts.userId, type: "human" };
        const id = pathParam(request, "id");
        addMembers(parts, person, id, wanted);
        return ok(conversationView(parts, person, id));
      },
    }),
    {
      method: "DELETE",
      path: "/conversations/:id/members/:member_id",
      auth: "own",
      async handle(request) {
        const subject = await subjectOf(parts, request.bearer);
        const conversation_id = pathParam(request, "id");
        const member_id = pathParam(request, "member_id");
        removeMember(parts, subject, conversation_id, member_id);
        return ok({ conversation_id, member_id });
      },
    },
  ];
}
