import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/**
 * What the server says of a name: its TXT records, that it has none, that there is no such name, a failure, or nothing at all. It may lie: with the
 * answer to another request or to another question. `aliases` lead to the name that has the records (CNAME).
 */
type NameAnswer =
  | readonly string[]
  | { readonly texts: readonly string[]; readonly lie: 'otherRequest' | 'otherQuestion' }
  | { readonly texts: readonly string[]; readonly aliases: readonly string[] }
  | 'noData'
  | 'noName'
  | 'failure'
  | 'silent';

/** A name server on UDP that knows TXT records alone (RFC 1035 section 4). */
export interface NameServer {
  /** `host:port`, for `MUSTER_DNS_SERVERS`. */
  readonly address: string;
  /** Set by a test. Other names do not exist. */
  readonly answers: Map<string, NameAnswer>;
  /** The names of the questions. */
  readonly asked: string[];
}

const codes = { noData: 0, noName: 3, failure: 2 } as const;

/** Starts a name server on a free port. */
export async function startNameServer(t: Pick<Test, 'teardown'>): Promise<NameServer> {
  const socket = createSocket('udp4');
  const answers = new Map<string, NameAnswer>();
  const asked: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const { name, end } = questionIn(message);
    asked.push(name);
    const answer = answers.get(name.toLowerCase()) ?? 'noName';
    if (answer !== 'silent') socket.send(answerTo(message, end, answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, answers, asked };
}

/** The name of the question, and where the question ends. */
function questionIn(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 5 };
}

function answerTo(message: Buffer, end: number, answer: Exclude<NameAnswer, 'silent'>): Buffer {
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 2);
  const question = Buffer.from(message.subarray(12, end));
  if (typeof answer === 'object' && 'lie' in answer) {
    if (answer.lie === 'otherRequest') header.writeUInt16BE((header.readUInt16BE(0) + 1) % 65_536, 0);
    // Another letter in the first label.
    else question.writeUInt8(question.readUInt8(1) === 0x61 ? 0x62 : 0x61, 1);
  }
  const records = recordsOf(answer);
  // A response, with the bit of the question that asks for recursion.
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function recordsOf(answer: Exclude<NameAnswer, 'silent'>): Buffer[] {
  if (typeof answer === 'string') return [];
  if (!('texts' in answer)) return answer.map((text) => recordOf(text));
  const aliases = 'aliases' in answer ? answer.aliases.map(wireNameOf) : [];
  const owners = [questionName, ...aliases];
  return [
    ...aliases.map((target, at) => resourceOf(owners[at] ?? questionName, { type: 5, data: target })),
    ...answer.texts.map((text) => recordOf(text, owners.at(-1))),
  ];
}

/** A pointer to the name in the question (RFC 1035 section 4.1.4). */
const questionName = Buffer.from([0xc0, 0x0c]);

function wireNameOf(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function resourceOf(owner: Buffer, { type, data }: { type: number; data: Buffer }): Buffer {
  const head = Buffer.from([0, type, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([owner, head, data]);
}

/** A TXT record with the text in pieces of at most 255 bytes. */
function recordOf(text: string, owner: Buffer = questionName): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at === 0 || at < text.length; at += 255) {
    const piece = Buffer.from(text.slice(at, at + 255), 'latin1');
    pieces.push(Buffer.from([piece.length]), piece);
  }
  return resourceOf(owner, { type: 16, data: Buffer.concat(pieces) });
}
