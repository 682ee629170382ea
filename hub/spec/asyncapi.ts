import type { TSchema } from "typebox";
import { AuthFrame, ClientFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import { FRAMES_FROM_HUB, FRAMES_TO_HUB } from "./frame-examples.ts";

/** Frames that only one of the two ever sends or is sent; the others go both ways. */
const PERSON_ONLY: readonly string[] = [
  "notice.received",
  "history.full",
  "agent.presence",
  "pairing.requested",
  "pairing.closed",
  "h2a.reauth_required",
  "agent.manifest_changed",
];
const AGENT_ONLY: readonly string[] = ["agent.capability_changed"];

const CHANNELS = {
  agent: { address: "/ws/agent", lacks: PERSON_ONLY },
  human: { address: "/ws/human", lacks: AGENT_ONLY },
} as const;

interface Frame {
  readonly type: string;
}

/** AsyncAPI 3 of the frames, with the very TypeBox schemas that they are judged by. */
export function asyncApi() {
  const toHub = messages([AuthFrame, ...ClientFrame.anyOf], FRAMES_TO_HUB);
  const fromHub = messages(ServerFrame.anyOf, FRAMES_FROM_HUB);
  const sides = Object.entries(CHANNELS);
  return {
    asyncapi: "3.0.0",
    info: { title: "Consentry hub", version: "1", description: "Frames of protocol version 1" },
    defaultContentType: "application/json",
    servers: {
      hub: {
        host: "127.0.0.1:{port}",
        protocol: "ws",
        variables: { port: { default: "4800" } },
      },
    },
    channels: Object.fromEntries(
      sides.map(([side, { address, lacks }]) => {
        const mine = { ...prefixed("toHub", toHub, lacks), ...prefixed("fromHub", fromHub, lacks) };
        return [side, { address, messages: mine }];
      }),
    ),
    // AsyncAPI 3 tells them from the side of the application described, which is the hub.
    operations: Object.fromEntries(
      sides.flatMap(([side, { lacks }]) => [
        [`${side}.toHub`, operation(side, "receive", prefixed("toHub", toHub, lacks))],
        [`${side}.fromHub`, operation(side, "send", prefixed("fromHub", fromHub, lacks))],
      ]),
    ),
  };
}

function operation(side: string, action: "send" | "receive", of: Record<string, object>): object {
  const channel = `#/channels/${side}`;
  return {
    action,
    channel: { $ref: channel },
    messages: Object.keys(of).map((name) => ({ $ref: `${channel}/messages/${name}` })),
  };
}

/** A frame's name may be said both ways, as `stream.start` is. */
const prefixed = (
  way: "toHub" | "fromHub",
  all: ReadonlyMap<string, object>,
  lacks: readonly string[],
): Record<string, object> =>
  Object.fromEntries(
    [...all]
      .filter(([type]) => !lacks.includes(type))
      .map(([type, message]) => [`${way}.${type}`, message]),
  );

function messages(
  schemas: readonly TSchema[],
  examples: readonly Frame[],
): ReadonlyMap<string, object> {
  return new Map(
    examples.map((example) => [
      example.type,
      {
        name: example.type,
        payload: schemas.find((schema) => typesOf(schema).includes(example.type)),
        examples: [{ payload: example }],
      },
    ]),
  );
}

interface TypeProperty {
  readonly properties?: {
    readonly type?: { readonly const?: string; readonly anyOf?: readonly { const?: string }[] };
  };
}

/** The frame types that one schema stands for. */
export function typesOf(schema: TSchema): readonly string[] {
  const { type } = (schema as TypeProperty).properties ?? {};
  const literals = type?.anyOf ?? (type === undefined ? [] : [type]);
  return literals.flatMap((literal) => literal.const ?? []);
}
