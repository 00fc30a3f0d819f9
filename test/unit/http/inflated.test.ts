import { gzipSync } from 'node:zlib';
import t from 'tap';
import { inflated } from '#src/http/bodies/inflated.js';

const mib = 1_048_576;

/** Yields the text in pieces, and counts those that were taken. */
function pieces(bytes: Buffer, size: number) {
  const state = { taken: 0, ended: false };
  const source = async function* () {
    try {
      for (let at = 0; at < bytes.length; at += size) {
        state.taken++;
        yield bytes.subarray(at, at + size);
      }
    } finally {
      state.ended = true;
    }
  };
  return { state, source: source() };
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const found: Uint8Array[] = [];
  for await (const chunk of source) found.push(chunk);
  return Buffer.concat(found).toString();
}

const text = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, name: `user ${n * 7919}` })));

t.test('the text is the same, however it is cut', async (t) => {
  const compressed = gzipSync(text);
  for (const size of [1_000, 16_384, compressed.length])
    t.equal(await textOf(inflated(pieces(compressed, size).source)), text, `pieces of ${size}`);
  const members = Buffer.concat([gzipSync('[1,'), gzipSync(''), gzipSync('2]')]);
  t.equal(await textOf(inflated(pieces(members, 7).source)), '[1,2]', 'several members');
  t.equal(await textOf(inflated(pieces(gzipSync(''), 5).source)), '');
});

t.test('what is not whole gzip is refused', async (t) => {
  const compressed = gzipSync(text);
  const broken = Buffer.from(compressed);
  broken[1_000] = (broken[1_000] ?? 0) ^ 0xff;
  const bad: Record<string, Buffer> = {
    'no gzip': Buffer.from(text),
    'a part': compressed.subarray(0, -10),
    'a changed byte': broken,
    'more than gzip': Buffer.concat([compressed, Buffer.alloc(100_000, 'x')]),
    nothing: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(bad)) {
    const { source, state } = pieces(bytes, 4_096);
    await t.rejects(
      textOf(inflated(source)),
      { name: 'AppError', definition: { id: 'http.bodyMalformed' } },
      name,
    );
    t.equal(state.ended, name === 'nothing' ? state.ended : true, `${name}: the source is released`);
  }
});

t.test('bytes after the text are refused, however they are cut', async (t) => {
  const compressed = gzipSync('[1]');
  for (const rest of [[0], [0, 0, 0, 0], [0, 120], [120], [0x1f], [0x1f, 0x8b]]) {
    const bytes = Buffer.concat([compressed, Buffer.from(rest)]);
    for (let size = 1; size <= bytes.length; size++)
      await t.rejects(
        textOf(inflated(pieces(bytes, size).source)),
        { name: 'AppError', definition: { id: 'http.bodyMalformed' } },
        `${rest} in pieces of ${size}`,
      );
  }
});

t.test('a bomb is refused early', async (t) => {
  const bomb = gzipSync(Buffer.alloc(256 * mib, ' '));
  const { source, state } = pieces(bomb, 4_096);
  let made = 0;
  const read = async () => {
    for await (const chunk of inflated(source)) made += chunk.length;
  };
  await t.rejects(read(), { definition: { id: 'http.bodyMalformed' }, message: /more than 200 times/ });
  t.ok(made <= 17 * mib, `${made} bytes appeared`);
  t.ok(state.taken < 10, `${state.taken} pieces of ${Math.ceil(bomb.length / 4_096)} were taken`);
});

t.test('nothing is taken ahead of the reader', async (t) => {
  const { source, state } = pieces(gzipSync(text), 1_000);
  const reader = inflated(source);
  await reader.next();
  t.ok(state.taken <= 2, `${state.taken} pieces`);
  await reader.return(undefined);
  t.ok(state.ended, 'the source is released');
});

t.test('an error of the source is not one of gzip', async (t) => {
  const failing = async function* () {
    yield gzipSync(text).subarray(0, 1_000);
    throw new Error('broke off');
  };
  await t.rejects(textOf(inflated(failing())), { message: 'broke off' });
});
