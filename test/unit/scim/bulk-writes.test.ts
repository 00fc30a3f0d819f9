import t from 'tap';
import { createBulkWrites } from '#src/scim/bulk/creation-group.js';

for (const [kind, atOnce] of [
  ['groups', 2],
  ['others', 2],
] as const) {
  t.test(`an organization writes ${atOnce} ${kind} at a time, and others begin at once`, async (t) => {
    const writes = createBulkWrites({ giveWay: { run: (work) => work() } })[kind];
    const ends: (() => void)[] = [];
    const write = () => new Promise<void>((end) => ends.push(end));
    const flood = Array.from({ length: 5 }, () => writes.run('busy', write));
    t.equal(ends.length, atOnce);
    t.equal(await writes.run('other', async () => 'written'), 'written');
    for (let ended = 0; ended < 5; ended++) {
      ends[ended]?.();
      await flood[ended];
      await new Promise((resolve) => setImmediate(resolve));
      t.equal(ends.length, Math.min(5, atOnce + ended + 1));
    }
  });
}
