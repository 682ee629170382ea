import type { EventEmitter } from "node:events";
import * as dbus from "@jellybrick/dbus-next";
import { type BusReply, type BusValue, busError, type MessageBus } from "./message-bus.ts";

/**
 * Connects to a bus. Belongs into a thread that is ended afterwards: the package gives no way to
 * close a connection that is still being made, waits for replies without end, and throws past
 * everybody when a peer sends something it cannot read.
 */
export function openBus(address: string): MessageBus {
  // Despite its name, the one constructor that takes an address. EXTERNAL alone: the kernel says
  // who we are, and no cookie file is read.
  const bus = dbus.sessionBus({ busAddress: address, authMethods: ["EXTERNAL"] });
  const lost = new Promise<never>((_, reject) => {
    errorsOf(bus).on("error", () => reject(busError("bus_error")));
  });
  lost.catch(() => {});

  async function send(message: dbus.Message): Promise<BusReply> {
    try {
      const reply = await Promise.race([bus.call(message), lost]);
      return replyOf(reply);
    } catch (error) {
      throw error instanceof dbus.DBusError
        ? busError("bus_error", { details: error.type })
        : error;
    }
  }

  return {
    call: ({ body, ...request }) =>
      send(new dbus.Message({ ...request, body: body.map(toPackage) })),
    async hear(signal, listener) {
      bus.on("message", (message: dbus.Message) => {
        const isMeant =
          message.type === dbus.MessageType.SIGNAL &&
          message.path === signal.path &&
          message.interface === signal.interface &&
          message.member === signal.member;
        if (isMeant) listener(replyOf(message));
      });
      await send(matchCall(signal));
    },
  };
}

/** The package's types forget the event that it most needs to be listened to. */
const errorsOf = (bus: EventEmitter): EventEmitter => bus;

function matchCall(signal: { path: string; interface: string; member: string }): dbus.Message {
  const { path, interface: name, member } = signal;
  return new dbus.Message({
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
    member: "AddMatch",
    signature: "s",
    body: [`type='signal',path='${path}',interface='${name}',member='${member}'`],
  });
}

const toPackage = (value: BusValue): unknown =>
  typeof value === "object" ? new dbus.Variant(value.signature, value.value) : value;

function replyOf(message: dbus.Message | null): BusReply {
  return { sender: message?.sender ?? "", body: message?.body ?? [] };
}
