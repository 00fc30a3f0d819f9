import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BSON } from 'bson';
import { Framer } from '../../../dev/documentdb/framer.js';
import { encode, parseRequest, replyHead } from '../../../dev/documentdb/wire.js';

/**
 * A program that behaves as `mongod --replSet` does while its set is initiated and when its port changes. It keeps the
 * configuration of its set in the folder of `--dbpath`, and stores nothing else. A member whose address is not in the
 * configuration is in no set: nobody can write there, and only a forced reconfiguration is taken.
 */

interface Configuration {
  readonly _id: string;
  readonly version: number;
  readonly members: readonly { readonly _id: number; readonly host: string }[];
}

const { dbpath = '', port = '' } = parseArgs({
  options: { dbpath: { type: 'string' }, port: { type: 'string' } },
  strict: false,
}).values as { dbpath?: string; port?: string };
const file = join(dbpath, 'replica-set.json');
let configuration: Configuration | undefined;
if (existsSync(file)) configuration = JSON.parse(readFileSync(file, 'utf8'));

const address = `127.0.0.1:${port}`;
const isMember = () => configuration?.members.some(({ host }) => host === address) === true;
const refusal = (code: number, errmsg: string) => ({ ok: 0, code, errmsg });

function take(next: Configuration) {
  configuration = next;
  writeFileSync(file, JSON.stringify(next));
  return { ok: 1 };
}

function answer(command: BSON.Document): BSON.Document {
  if (command['hello'] || command['ismaster'] || command['isMaster']) {
    return {
      ok: 1,
      isWritablePrimary: isMember(),
      ismaster: isMember(),
      ...(isMember() ? { setName: configuration?._id } : { isreplicaset: true }),
      helloOk: true,
      minWireVersion: 0,
      maxWireVersion: 21,
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
    };
  }
  if (command['ping'] || command['endSessions']) return { ok: 1 };
  if (command['replSetInitiate']) {
    if (configuration !== undefined) return refusal(23, 'already initialized');
    return take({ version: 1, ...command['replSetInitiate'] });
  }
  if (configuration === undefined) return refusal(94, 'no replset config has been received');
  if (command['replSetGetConfig']) return { ok: 1, config: configuration };
  if (command['replSetReconfig']) {
    const next = command['replSetReconfig'];
    if (!isMember() && command['force'] !== true) return refusal(10_107, 'not primary');
    if (!(next.version > configuration.version)) return refusal(103, 'the version must be greater');
    return take(next);
  }
  return refusal(59, `no such command: ${Object.keys(command)[0]}`);
}

createServer((socket) => {
  const framer = new Framer(
    16,
    (bytes, offset) => bytes.readInt32LE(offset),
    (message) => {
      const request = parseRequest(message);
      const reply = encode(answer(BSON.deserialize(request.body)));
      socket.write(Buffer.concat([replyHead(request, reply.length), reply]));
    },
  );
  socket.on('data', (chunk) => framer.push(chunk));
  socket.on('error', () => undefined);
}).listen(Number(port), '127.0.0.1');
