import t from 'tap';
import { cursorPageBytes, indexPageBytes, PageBody } from '#src/scim/list/page-body.js';
import type { JsonBody } from '#src/scim/resources/long-list.js';

/** The text of a body, in whichever form it comes. */
async function textOf(body: JsonBody): Promise<string> {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return Buffer.concat(body).toString();
  let text = '';
  for await (const part of body) text += String(part);
  return text;
}

/** JSON in parts. Notes how many were taken, and whether the rest was given up. */
function parts(texts: readonly string[]) {
  const seen = { taken: 0, ended: false };
  async function* generate() {
    try {
      for (const text of texts) {
        seen.taken++;
        yield text;
      }
    } finally {
      seen.ended = true;
    }
  }
  return { seen, json: generate() };
}

const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
const inParts = (bytes: number) => [
  '"',
  ...Array.from({ length: bytes / 1_000 }, () => 'y'.repeat(1_000)),
  '"',
];
const page = { totalResults: 7 };

t.test('a small page is one text, a larger one is in parts', async (t) => {
  for (const [bytes, isText] of [
    [1_000, true],
    [60_000, true],
    [150_000, false],
  ] as const) {
    const body = new PageBody({ byCursor: false });
    for (let n = 0; n < 3; n++) t.ok(body.add(text(bytes)));
    const finished = body.finish(page);
    t.equal(typeof finished === 'string', isText, `${bytes}`);
    const json = JSON.parse(await textOf(finished));
    t.match(json, { totalResults: 7, itemsPerPage: 3, startIndex: 1 });
    t.strictSame(
      json.Resources.map(({ length }: string) => length),
      Array(3).fill(bytes - 2),
    );
  }
  const empty = new PageBody({ byCursor: false });
  t.match(JSON.parse(await textOf(empty.finish(page))), { itemsPerPage: 0, Resources: [] });
});

t.test('resources are added at once only if they are few bytes', async (t) => {
  const body = new PageBody({ byCursor: true });
  t.equal(body.addAll([]), false);
  t.equal(body.addAll([{ id: 'x'.repeat(300_000) }]), false);
  t.equal(body.addAll([{ id: 'ä' }, { id: 'b' }]), true);
  t.strictSame([body.count, body.bytes], [2, Buffer.byteLength('{"id":"ä"},{"id":"b"}')]);
  t.ok(body.add('{"id":"c"}'));
  t.match(JSON.parse(await textOf(body.finish(page))).Resources, [{ id: 'ä' }, { id: 'b' }, { id: 'c' }]);
});

t.test('a page by cursor ends before the resource that would make it too large', async (t) => {
  const body = new PageBody({ byCursor: true });
  t.ok(body.add(text(cursorPageBytes / 2)));
  t.ok(body.add(text(cursorPageBytes / 2)));
  t.notOk(body.add(text(10)));
  const late = parts(inParts(5_000));
  t.notOk(await body.addPieces(late.json));
  t.match(late.seen, { taken: 1, ended: true });
  t.equal(JSON.parse(await textOf(body.finish(page))).Resources.length, 2);
  const one = new PageBody({ byCursor: true });
  t.ok(one.add(text(2 * cursorPageBytes)), 'the first one is always there');
  t.notOk(one.add(text(10)));
});

t.test('the first resource of a page by cursor is read while it is sent, if it is too large', async (t) => {
  const body = new PageBody({ byCursor: true });
  const giant = parts(inParts(3_000_000));
  t.ok(await body.addPieces(giant.json));
  t.ok(body.isStream);
  t.ok(giant.seen.taken < 1_100, `${giant.seen.taken} parts in memory`);
  t.notOk(body.add(text(10)));
  const json = JSON.parse(await textOf(body.finish(page)));
  t.equal(json.Resources[0].length, 3_000_000);
  t.equal(json.itemsPerPage, 1);
});

t.test('a page by index is whole, or refused', async (t) => {
  const tooLarge = { name: 'AppError', definition: { id: 'scim.pageTooLarge', scimType: 'tooMany' } };
  const body = new PageBody({ byCursor: false });
  t.ok(body.add(text(indexPageBytes)));
  t.throws(() => body.add(text(10)), tooLarge);
  const late = parts(inParts(5_000));
  await t.rejects(body.addPieces(late.json), tooLarge);
  t.match(late.seen, { taken: 1, ended: true });
  const alone = new PageBody({ byCursor: false });
  t.ok(await alone.addPieces(parts(inParts(indexPageBytes + 392)).json), 'a single resource has any size');
  t.notOk(alone.isStream);
  t.equal(JSON.parse(await textOf(alone.finish(page))).Resources[0].length, indexPageBytes + 392);
});

t.test('streams of a page by index are sent in order, and end with the client', async (t) => {
  const body = new PageBody({ byCursor: false });
  const [one, other] = [parts(inParts(2_000)), parts(inParts(3_000))];
  t.ok(body.add('"a"'));
  body.addStream(one.json);
  t.ok(body.add('"b"'));
  body.addStream(other.json);
  const json = JSON.parse(await textOf(body.finish(page)));
  t.strictSame(
    json.Resources.map(({ length }: string) => length),
    [1, 2_000, 1, 3_000],
  );
  const left = new PageBody({ byCursor: false });
  const [begun, never] = [parts(inParts(2_000)), parts(inParts(2_000))];
  left.addStream(begun.json);
  left.addStream(never.json);
  const stream = left.finish(page) as AsyncGenerator<string | Buffer>;
  await stream.next();
  await stream.next();
  await stream.return(undefined);
  t.ok(begun.seen.ended || begun.seen.taken === 0);
  t.strictSame(await never.json.next(), { value: undefined, done: true });
});
