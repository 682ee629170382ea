import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIP } from "node:net";

/** One answer for a name: its aliases, then the last alias's addresses. */
export interface NameAnswer {
  readonly aliases?: readonly string[];
  readonly addresses: readonly string[];
}

/** By name: the first answer, the second, and so on; the last one is repeated. */
export type Names = Readonly<Record<string, readonly NameAnswer[]>>;

interface Question {
  readonly name: string;
  readonly type: number;
  readonly bytes: Buffer;
}

const TYPE = { A: 1, CNAME: 5, AAAA: 28 } as const;
const HEADER_BYTES = 12;
/** A complete answer of a recursive server; adding 3 means that there is no such name. */
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;
/** A pointer to the question's name. */
const QUESTIONED = Buffer.from([0xc0, HEADER_BYTES]);

/**
 * For tests: a name server (RFC 1035) that the system's resolver asks over UDP. Answers may be
 * cached for 0 seconds; a name's A and AAAA records come from the same turn.
 */
export async function startNameServer(host: string, port: number) {
  let names: Names = {};
  let asked: string[] = [];
  const socket = createSocket(isIP(host) === 6 ? "udp6" : "udp4");
  socket.on("message", (message, from) => {
    const question = questionOf(message);
    if (question.type === TYPE.A) asked.push(question.name);
    // The A record of a pair is asked for first.
    const turn = asked.filter((one) => one === question.name).length;
    const answers = names[question.name] ?? [];
    const answer = answers[turn - 1] ?? answers.at(-1);
    socket.send(response(message, question, answer), from.port, from.address);
  });
  socket.bind(port, host);
  await once(socket, "listening");
  return {
    /** Replaces the answers, and forgets earlier questions. */
    serve(next: Names): void {
      names = next;
      asked = [];
    },
    /** The names asked for, once for each question. */
    asked: (): readonly string[] => asked,
    close: () => void socket.close(),
  };
}

function questionOf(message: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const bytes = message.subarray(HEADER_BYTES, at + 5);
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), bytes };
}

function response(query: Buffer, question: Question, answer: NameAnswer | undefined): Buffer {
  const { aliases = [], addresses = [] } = answer ?? {};
  const family = question.type === TYPE.A ? 4 : question.type === TYPE.AAAA ? 6 : 0;
  const wanted = addresses.filter((address) => isIP(address) === family);
  const owners = [QUESTIONED, ...aliases.map(nameBytes)];
  const records = [
    ...aliases.map((alias, index) => record(owners[index], TYPE.CNAME, nameBytes(alias))),
    ...wanted.map((address) => record(owners.at(-1), question.type, addressBytes(address))),
  ];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(answer === undefined ? NO_SUCH_NAME : ANSWERED, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question.bytes, ...records]);
}

function record(owner: Buffer = QUESTIONED, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  // Bytes 4 to 7 stay 0: the answer may not be cached.
  fixed.writeUInt16BE(data.byteLength, 8);
  return Buffer.concat([owner, fixed, data]);
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label, "latin1")])),
    Buffer.from([0]),
  ]);

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  // Usual spelling: no embedded IPv4, and at most one gap.
  const usual = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = usual
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const gap = Array<string>(8 - before.length - after.length).fill("0");
  const words = [...before, ...gap, ...after].map((word) => Number.parseInt(word, 16));
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 255]));
}
