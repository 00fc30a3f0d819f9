// Runs alone: it measures how long requests hold the event loop.
import t from 'tap';
import { v7 } from 'uuid';
import type { Event } from '#src/audit/event.js';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { allowedHoldMs, longestHold } from '../../support/hostile/longest-hold.js';

/** Pages of large objects. An organization must not make others wait by reading its own. */

const { container, call } = await buildTestApp(t);
const acme = await makeTenant(container);
const as = acme.owner;

/** Reads page by page until none follows. @returns the sizes of the pages, and what they have */
async function readAll<T>(page: (after: string | undefined) => Promise<{ items: T[]; next?: string }>) {
  const sizes: number[] = [];
  const all: T[] = [];
  let next: string | undefined;
  do {
    const found = await page(next);
    sizes.push(JSON.stringify(found).length);
    all.push(...found.items);
    next = found.next;
  } while (next !== undefined);
  return { sizes, all };
}

async function listed<T>(path: string) {
  return readAll<T>(async (after) => {
    const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
    const { status, body } = await call(`GET ${path}?limit=100${query}`, { as });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  });
}

const search = (body: object) => call('POST /admin/v1/events/_search', { as, body });

t.test('events', async (t) => {
  const creationDate = new Date(Date.now() - 600_000);
  const added = Array.from(
    { length: 300 },
    (_, n): Event => ({
      id: v7({ msecs: creationDate.getTime(), seq: n }),
      type: 'application.changed',
      aggregate: { id: `a${n}`, type: 'application', resourceOwner: acme.orgId },
      editor: { userId: as.id, service: 'test' },
      sequence: n + 1,
      creationDate,
      payload: {
        redirectUris: Array.from(
          { length: 300 },
          (_, at) => `https://a.example/${n}/${at}/${'x'.repeat(100)}`,
        ),
      },
    }),
  );
  await container.mongo.transaction((transaction) => container.events.append(added, transaction));
  const query = { eventTypes: ['application.changed'], asc: true };

  t.match(await search(query), { status: 400, body: { id: 'directory.eventsTooLarge' } });
  t.match(await search({ ...query, limit: 50 }), { status: 200, body: { events: { length: 50 } } });
  const { sizes, all } = await readAll<Event>(async (cursor = '') => {
    const { status, body } = await search({ ...query, cursor });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    // Oldest first, an empty page is the last one.
    return { items: body.events, ...(body.events.length > 0 && { next: body.nextCursor }) };
  });
  t.same(
    all.map(({ sequence }) => sequence),
    added.map(({ sequence }) => sequence),
    'every event comes once, in its order',
  );
  t.ok(Math.max(...sizes) < 6_000_000, `pages of ${sizes}`);
  t.ok((await longestHold(() => search({ ...query, cursor: '' }))) <= allowedHoldMs);

  const types = ['application.changed', 'application.added'];
  const first = await container.events.page({
    eventTypes: types as ['application.changed'],
    limit: 1_000,
    ascending: false,
  });
  t.ok(first.isCut);
  const ids = first.events.map(({ id }) => id);
  t.same(ids, [...ids].sort().reverse());
  t.equal(ids[0], added.at(-1)?.id);
  t.ok(ids.length > 10, `${ids.length}`);
});

t.test('metadata of a user', async (t) => {
  const path = `/admin/v1/orgs/${acme.orgId}/users/${acme.viewer.id}/metadata`;
  const value = Buffer.alloc(65_536, 'm').toString('base64');
  for (let n = 0; n < 100; n++)
    t.equal(
      (await call(`PUT ${path}/key-${String(n).padStart(3, '0')}`, { as, body: { value } })).status,
      200,
    );
  const { sizes, all } = await listed<{ key: string }>(path);
  t.same(
    all.map(({ key }) => key),
    Array.from({ length: 100 }, (_, n) => `key-${String(n).padStart(3, '0')}`),
  );
  t.ok(Math.max(...sizes) < 1_200_000, `pages of ${sizes}`);
  t.ok((await longestHold(() => call(`GET ${path}?limit=100`, { as }))) <= allowedHoldMs);
});

t.test('applications', async (t) => {
  const path = `/admin/v1/orgs/${acme.orgId}/applications`;
  const redirectUris = Array.from({ length: 100 }, (_, n) => `https://a.example/${n}/${'x'.repeat(1_900)}`);
  for (let n = 0; n < 30; n++) {
    const body = { name: `App ${n}`, type: 'web', redirectUris };
    t.equal((await call(`POST ${path}`, { as, body })).status, 201);
  }
  const { sizes, all } = await listed<{ id: string }>(path);
  t.equal(new Set(all.map(({ id }) => id)).size, 30);
  t.equal(all.length, 30);
  t.ok(Math.max(...sizes) < 1_500_000, `pages of ${sizes}`);
  t.ok((await longestHold(() => call(`GET ${path}?limit=100`, { as }))) <= allowedHoldMs);
});
