import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { partTaken, QuickResponse } from '#src/http/responses/quick-response.js';

const body = '{"name":"J\u00f6rg \u{1F600}"}';
const length = Buffer.byteLength(body);
const known = { 'content-length': length, 'content-type': 'application/json' };

/** Four pieces. The last one is short. */
const many = Buffer.from(Array.from({ length: 40_000 }, (_, at) => `${at} `.padStart(6)).join(''));
const knownOfMany = { 'content-length': many.length };

/** What a handler does with a response. */
const ways: Record<string, (response: ServerResponse) => void> = {
  'a text of a known length': (response) => response.writeHead(200, known).end(body),
  'a text with a callback': (response) => response.writeHead(200, known).end(body, () => {}),
  'a text with an encoding': (response) =>
    response.writeHead(200, { 'content-length': 6 }).end('ff00ff00ff00', 'hex'),
  'a text with an encoding that is null': (response) =>
    response.writeHead(200, known).end(body, null as never),
  'an empty text': (response) => response.writeHead(200, { 'content-length': 0 }).end(''),
  'a text before the head': (response) => response.end(body),
  'a text of an unknown length': (response) => response.writeHead(200).end(body),
  bytes: (response) => response.writeHead(200, known).end(Buffer.from(body)),
  'no body': (response) => response.writeHead(204).end(),
  'a body that the status forbids': (response) => response.writeHead(304, known).end(body),
  'two parts': (response) => {
    response.writeHead(200, { 'content-length': 2 * length }).write(body);
    response.end(body);
  },
  'two ends': (response) => {
    response
      .on('error', () => {})
      .writeHead(200, known)
      .end(body);
    response.end(body);
  },
  'bytes in pieces': (response) => response.writeHead(200, knownOfMany).end(many),
  'bytes in pieces with a callback': (response) => response.writeHead(200, knownOfMany).end(many, () => {}),
  'bytes in pieces of an unknown length': (response) => response.writeHead(200).end(many),
  'bytes in pieces, and two ends': (response) => {
    response
      .on('error', () => {})
      .writeHead(200, knownOfMany)
      .end(many);
    response.end(many);
  },
  'a late text': (response) => void setImmediate(() => response.writeHead(200, known).end(body)),
  'a stream': (response) => void Readable.from([many, Buffer.from(body)]).pipe(response.writeHead(200)),
  'a stream of a known length': (response) =>
    void Readable.from([many]).pipe(response.writeHead(200, knownOfMany)),
  'a part, and an end with a callback': (response) => {
    response.writeHead(200).write(many);
    response.end(() => {});
  },
  'parts that were corked': (response) => {
    response.cork();
    response.writeHead(200).write(many);
    response.write(body);
    response.end();
  },
  'a long text': (response) => {
    const long = 'ä'.repeat(500_000);
    response.writeHead(200, { 'content-length': 1_000_000 }).end(long);
  },
};
const names = Object.keys(ways);

/** A server that answers by the way whose number the path has. It counts how often its sockets write one part, and several. */
async function serve(test: Pick<typeof t, 'teardown'>, options: { ServerResponse?: typeof QuickResponse }) {
  const answer: RequestListener = ({ url = '' }, response) =>
    ways[names[Number(url.slice(1))] ?? '']?.(response.setHeader('date', 'now'));
  const server = createServer(options as object, answer);
  const writes = { one: 0, several: 0 };
  server.on('connection', (socket) => {
    const { _write, _writev } = socket;
    socket._write = function write(...given) {
      writes.one++;
      _write.apply(this, given);
    };
    socket._writev = function write(...given) {
      writes.several++;
      _writev?.apply(this, given);
    };
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  test.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ask = (requests: readonly string[]) => {
    const socket = connect(port, '127.0.0.1');
    const all = requests.map((request) => `${request} HTTP/1.1\r\nHost: x\r\n`);
    socket.end(`${all.join('\r\n')}Connection: close\r\n\r\n`);
    return text(socket);
  };
  return { ask, writes };
}

t.test('a client gets the same bytes as from Node.js', async (t) => {
  const [plain, ours] = [await serve(t, {}), await serve(t, { ServerResponse: QuickResponse })];
  for (const method of ['GET', 'HEAD'])
    for (const [at, name] of names.entries()) {
      const expected = await plain.ask([`${method} /${at}`]);
      t.match(expected, /^HTTP\/1\.1 \d{3} /);
      t.equal(await ours.ask([`${method} /${at}`]), expected, `${method}: ${name}`);
    }
  const pipelined = names.flatMap((_, at) => [`GET /${at}`, `HEAD /${at}`, `GET /0`]);
  t.equal(await ours.ask(pipelined), await plain.ask(pipelined), 'many requests at once, in order');
});

t.test('a short text and its head are one write', async (t) => {
  const [plain, ours] = [await serve(t, {}), await serve(t, { ServerResponse: QuickResponse })];
  await ours.ask(['GET /0']);
  t.strictSame(ours.writes, { one: 1, several: 0 });
  await plain.ask(['GET /0']);
  t.strictSame(plain.writes, { one: 0, several: 1 }, 'Node.js writes two parts');
});

/** Connects a client that reads nothing, and asks until a response has to wait. @returns how many responses that took */
async function fill(
  t: Pick<typeof import('tap').t, 'teardown'>,
  send: (response: ServerResponse) => void,
  waits: (response: ServerResponse) => void,
) {
  let waiting: ServerResponse | undefined;
  const server = createServer({ ServerResponse: QuickResponse }, (_request, response) => {
    send(response);
    // A response that its socket took has ended by then.
    setImmediate(() => {
      if (response.writableEnded) return;
      waiting = response;
      waits(response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  let responses = 0;
  for (; waiting === undefined; responses += 1) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await pause(10);
  }
  return { server, socket, responses };
}

/** Sends a body at once. */
const whole = (body: string | Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-length': body.length }).end(body);

const short = 'b'.repeat(60_000);
const waitingBodies = {
  'a short text': { body: short, send: whole(short) },
  'short bytes': { body: short, send: whole(Buffer.from(short)) },
  pieces: { body: many, send: whole(many) },
  'the last part of a stream': {
    body: short,
    send: (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': short.length }).write(short);
      response.end(null);
    },
  },
};
for (const [kind, { body, send }] of Object.entries(waitingBodies)) {
  t.test(
    `${kind}: what the socket does not take follows when the client reads, also at a shutdown`,
    async (t) => {
      let taken = 0;
      let ended: Promise<unknown> | undefined;
      const { server, socket, responses } = await fill(t, send, (response) => {
        t.notOk(response.writableEnded, 'Node.js does not take its connection for idle');
        response.on(partTaken, () => taken++);
        ended = once(response, 'finish');
      });
      t.ok(responses > 2, 'the kernel takes whole responses before');
      // Both are what a shutdown does.
      server.close();
      server.closeIdleConnections();
      t.equal(taken, 0);
      let received = '';
      const head = /HTTP\/1\.1 200 OK\r\n(?:[^\r\n]+\r\n)+\r\n/g;
      for await (const part of socket) {
        received += part;
        if (received.split(head).slice(1).join('').length === responses * body.length) break;
      }
      await ended;
      t.ok(taken > 0);
      t.strictSame(received.split(head), ['', ...Array(responses).fill(body.toString())]);
    },
  );
}

t.test('nothing is written after the end while the socket waits, and every callback is called', async (t) => {
  let late: Promise<unknown[]> | undefined;
  let ended: Promise<unknown> | undefined;
  const { server, socket, responses } = await fill(t, whole(short), (response) => {
    late = Promise.all([
      once(response, 'error'),
      new Promise((done) => {
        response.write('more', done);
      }),
    ]);
    ended = new Promise<void>((done) => {
      response.end(done);
    });
  });
  t.match(await late, [[{ code: 'ERR_STREAM_WRITE_AFTER_END' }], { code: 'ERR_STREAM_WRITE_AFTER_END' }]);
  server.close();
  server.closeIdleConnections();
  let received = '';
  for await (const part of socket) received += part;
  t.equal(received.split('b').length - 1, responses * short.length);
  t.notMatch(received, /more/);
  await ended;
});

t.test('a response whose client goes in the middle of its pieces ends without an error', async (t) => {
  let closed: Promise<unknown> | undefined;
  let response: ServerResponse | undefined;
  const { socket } = await fill(t, whole(many), (waiting) => {
    response = waiting;
    closed = once(waiting, 'close');
  });
  socket.destroy();
  await closed;
  t.notOk(response?.writableFinished);
});

t.test('a response without its client ends without an error', async (t) => {
  const server = createServer({ ServerResponse: QuickResponse }, (request, response) => {
    response.writeHead(200, known);
    request.socket.destroy();
    response.end(body);
    setImmediate(() => response.end(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
  t.equal(socket.bytesRead, 0);
});
