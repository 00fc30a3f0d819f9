import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BSON } from 'bson';

/**
 * Makes the compile cache of the image: what V8 compiles when the programs start. Each program is started with stores that are empty, until it
 * is ready. Then it ends, and Node.js writes the cache into the folder of `NODE_COMPILE_CACHE`. The cache counts for the same version of Node.js
 * alone, with the same options and the same path of `dist`, and for the same user. Node.js runs this file as it is, so it imports no other of
 * this project.
 */

/** More than a program needs to be ready, in milliseconds. */
const mostMs = 60_000;
/** What the programs run when they are ready is compiled too. */
const idleMs = 2_000;
/** The programs alone have some MiB of code. */
const leastBytes = 2_000_000;

async function main(): Promise<void> {
  const folder = process.env['NODE_COMPILE_CACHE'];
  if (folder === undefined) throw new Error('NODE_COMPILE_CACHE names no folder');
  const [mongo, redis, port] = [
    await listen(serveMongo),
    await listen(serveRedis),
    await listen(() => undefined),
  ];
  port.server.close();
  const settings = {
    ...{ HOST: '127.0.0.1', PORT: String(port.number), MUSTER_BASE_URL: 'https://muster.example' },
    MONGODB_URL: `mongodb://127.0.0.1:${mongo.number}`,
    REDIS_URL: `redis://127.0.0.1:${redis.number}`,
    MUSTER_MASTER_KEYS: `none:${'B'.repeat(43)}`,
  };
  const start = (program: string, ...args: string[]) =>
    spawn(process.execPath, [join('dist', program), ...args], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  // The file of a module is written once, by the program that ends first. So those that run most of it come first.
  await untilReady(start('src/server.js'), 'Server listening');
  await untilReady(start('workers/main.js'), 'workers ready');
  await once(start('src/cli/main.js', '--help').stdout?.resume() ?? process, 'end');
  mongo.server.close();
  redis.server.close();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  if (bytes < leastBytes) throw new Error(`The compile cache has ${bytes} bytes only`);
  console.log(`${files.length} files, ${bytes} bytes of compiled code`);
}

/** Waits until a program writes that it is ready, and lets it end. @throws Error if it ends before, or does not end in time */
async function untilReady(program: ChildProcess, words: string): Promise<void> {
  const late = setTimeout(() => program.kill('SIGKILL'), mostMs);
  let written = '';
  const ended = once(program, 'exit');
  await new Promise<void>((ready, reject) => {
    program.stdout?.setEncoding('utf8').on('data', (text: string) => {
      written = (written + text).slice(-10_000);
      if (written.includes(words)) ready();
    });
    program.once('exit', () => reject(new Error(`It was not ready: ${written}`)));
  });
  await pause(idleMs);
  program.kill('SIGTERM');
  const [code] = await ended;
  clearTimeout(late);
  if (code !== 0) throw new Error(`It did not end in good order: ${code} ${written}`);
}

async function listen(serve: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, number: (server.address() as AddressInfo).port };
}

const legacyQuery = 2004;
const legacyReply = 1;
const message = 2013;

/** A MongoDB that has nothing, and keeps nothing. https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
function serveMongo(socket: Socket): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 16 && received.length >= received.readInt32LE(0)) {
      const size = received.readInt32LE(0);
      socket.write(replyTo(received.subarray(0, size)));
      received = received.subarray(size);
    }
  });
}

function replyTo(request: Buffer): Buffer {
  const isLegacy = request.readInt32LE(12) === legacyQuery;
  // The name of the collection ends with a zero, and two numbers follow it. Of a message, only the first section counts.
  const at = isLegacy ? request.indexOf(0, 20) + 9 : 21;
  const command = BSON.deserialize(request.subarray(at, at + request.readInt32LE(at)));
  const body = BSON.serialize(answerTo(Object.keys(command)[0] ?? ''));
  const head = Buffer.alloc(isLegacy ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.readInt32LE(4), 8);
  head.writeInt32LE(isLegacy ? legacyReply : message, 12);
  if (isLegacy) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

function answerTo(command: string): BSON.Document {
  switch (command.toLowerCase()) {
    case 'hello':
    case 'ismaster':
      return {
        ...{ ok: 1, ismaster: true, isWritablePrimary: true, helloOk: true, msg: 'isdbgrid' },
        ...{ minWireVersion: 0, maxWireVersion: 25, logicalSessionTimeoutMinutes: 30 },
        ...{ maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
      };
    case 'find':
    case 'aggregate':
    case 'listcollections':
    case 'listindexes':
      return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: 'muster.nothing', firstBatch: [] } };
    default:
      return { ok: 1, n: 1, nModified: 1, value: null };
  }
}

/** A Redis that has nothing, and keeps nothing. https://redis.io/docs/latest/develop/reference/protocol-spec/ */
function serveRedis(socket: Socket): void {
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
    for (let taken = takeCommand(received); taken !== undefined; taken = takeCommand(received)) {
      received = received.slice(taken.length);
      socket.write(redisAnswer(taken.words));
    }
  });
}

/** The first command of what was received, if it is complete. */
function takeCommand(
  text: string,
): { readonly words: readonly string[]; readonly length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return undefined;
  const words: string[] = [];
  let at = head[0].length;
  while (words.length < Number(head[1])) {
    const length = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20));
    if (length === null) return undefined;
    const begin = at + length[0].length;
    const end = begin + Number(length[1]);
    if (text.length < end + 2) return undefined;
    words.push(text.slice(begin, end));
    at = end + 2;
  }
  return { words, length: at };
}

function redisAnswer([command = '', ...words]: readonly string[]): string {
  switch (command.toLowerCase()) {
    case 'info': {
      const facts = `redis_version:7.4.0\r\nredis_mode:standalone\r\nloading:0\r\nrun_id:${'a'.repeat(40)}\r\n`;
      return `$${facts.length}\r\n${facts}\r\n`;
    }
    case 'subscribe':
      return words
        .map((name, n) => `*3\r\n$9\r\nsubscribe\r\n$${name.length}\r\n${name}\r\n:${n + 1}\r\n`)
        .join('');
    case 'mget':
      return `*${words.length}\r\n${'$-1\r\n'.repeat(words.length)}`;
    case 'get':
    case 'hget':
      return '$-1\r\n';
    case 'eval':
    case 'evalsha':
    case 'exists':
      return ':0\r\n';
    case 'bzpopmin':
    case 'xread':
      // They wait for what never comes.
      return '';
    default:
      return '+OK\r\n';
  }
}

await main();
