import t from 'tap';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const expires = new Date(Date.now() + 3_600_000);

t.test('first polls at once, in several processes, begin one stream', async (t) => {
  const begin = (position: string) =>
    container.eventReceivers.begin('org', 'receiver', { position, acknowledged: [], expires });
  const begun = await Promise.all(Array.from({ length: 30 }, (_, n) => begin(String(n))));
  t.equal(new Set(begun.map(({ position }) => position)).size, 1);
});

t.test('uses of one secret are recorded at once', async (t) => {
  const uses = Array.from({ length: 30 }, (_, n) => ({
    ...{ orgId: 'org', secretId: 'secret' },
    lastUsed: new Date(n * 1_000),
  }));
  await Promise.all(uses.map((use) => container.secretUsesStore.record([use])));
  const found = await container.secretUsesStore.find('org', ['secret']);
  t.equal(found.get('secret')?.getTime(), 29_000);
});
