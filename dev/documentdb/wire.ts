import { BSON } from 'bson';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;

/** A command as a client sent it. The bytes are views of the received message. */
export interface Request {
  id: number;
  opCode: number;
  /** The client does not wait for an answer. */
  unacknowledged: boolean;
  body: Buffer;
  /** The documents of the section-1 sequence, one after the other, and the field that they replace. */
  sequence: Buffer | null;
  sequenceName: string;
}

/** Reads OP_MSG and OP_QUERY. Throws on any other message. */
export function parseRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_QUERY) {
    const body = message.indexOf(0, 20) + 9;
    return {
      id,
      opCode,
      unacknowledged: false,
      body: message.subarray(body, body + message.readInt32LE(body)),
      sequence: null,
      sequenceName: '',
    };
  }
  if (opCode !== OP_MSG) {
    throw new RangeError(`operation code ${opCode} is not served`);
  }
  const flags = message.readUInt32LE(16);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let body: Buffer | undefined;
  let sequence: Buffer | null = null;
  let sequenceName = '';
  for (let at = 20; at < end; ) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    if (kind === 0) {
      body = message.subarray(at + 1, at + 1 + size);
    } else if (kind === 1) {
      const nameEnd = message.indexOf(0, at + 5);
      sequenceName = message.toString('latin1', at + 5, nameEnd);
      sequence = message.subarray(nameEnd + 1, at + 1 + size);
    } else {
      throw new RangeError(`section kind ${kind} is not served`);
    }
    at += 1 + size;
  }
  if (body === undefined) {
    throw new RangeError('message without a body section');
  }
  return { id, opCode, unacknowledged: (flags & MORE_TO_COME) !== 0, body, sequence, sequenceName };
}

let lastReplyId = 0;

/** The head of the reply to `request`, for a document of `size` bytes that follows it. */
export function replyHead(request: Request, size: number): Buffer {
  const legacy = request.opCode === OP_QUERY;
  const head = Buffer.allocUnsafe(legacy ? 36 : 21);
  lastReplyId = (lastReplyId + 1) | 0;
  head.writeInt32LE(head.length + size, 0);
  head.writeInt32LE(lastReplyId, 4);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) {
    head.fill(0, 16);
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
  } else {
    head.fill(0, 16);
  }
  return head;
}

/** The bytes of a reply that the gateway itself makes. */
export function encode(document: BSON.Document): Buffer {
  const bytes = BSON.serialize(document, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
