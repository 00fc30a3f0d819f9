import t from 'tap';
import { uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const { staging, mongo } = container;
const expires = new Date(Date.now() + 3_600_000);

t.test('a text that is given up leaves nothing once its writes have settled', async (t) => {
  const id = uniqueName('text');
  const writer = staging.writer(id, expires);
  // Two blocks are being written when this resolves.
  await writer.write(Buffer.alloc(2 * 512 * 1024));
  await writer.settle();
  await staging.remove(id);
  t.equal(await staging.has(id), false);
  const blocks = mongo.db.collection<{ _id: string }>('stagedBlocks');
  t.equal(await blocks.countDocuments({ _id: { $gte: `${id}.`, $lt: `${id}/` } }), 0);
});

t.test('a text is read as it was written', async (t) => {
  const id = uniqueName('text');
  const writer = staging.writer(id, expires);
  const text = Buffer.alloc(1_300_000, 'abcdefg');
  for (let at = 0; at < text.length; at += 70_000) await writer.write(text.subarray(at, at + 70_000));
  t.equal(await writer.finish(), text.length);
  t.ok(text.equals(await staging.read(id, { start: 0, end: text.length })));
  t.ok(text.subarray(600_000, 700_000).equals(await staging.read(id, { start: 600_000, end: 700_000 })));
});
