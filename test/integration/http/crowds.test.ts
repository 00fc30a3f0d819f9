import t, { type Test } from 'tap';
import { openConsole } from '../../support/app/console.js';
import { makeTenant } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { openScim } from '../../support/app/scim-app.js';

/**
 * Requests of one organization that take long, more than may wait. The others get a refusal that says when to come again, and another
 * organization does not wait.
 */

const opened = await openScim(t, { loginFailureMilliseconds: 0 });
const { container, call, client, tenant } = opened;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
}

/** Makes a method of a store wait for one organization. @returns lets all calls go on, as every later one */
function holdStore<K extends string>(
  t: Test,
  store: { readonly [Name in K]: (...given: never[]) => Promise<unknown> },
  { method, isHeld }: { method: K; isHeld: (...given: unknown[]) => boolean },
): () => void {
  const real = store[method] as (...given: unknown[]) => Promise<unknown>;
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const held = async (...given: unknown[]) => {
    if (isHeld(...given)) await gate;
    return real(...given);
  };
  Object.assign(store, { [method]: held });
  t.teardown(() => {
    letGo();
    Object.assign(store, { [method]: real });
  });
  return letGo;
}

/** What waits is refused after ten seconds, and a loaded machine needs longer to send a crowd. Here it waits for {@link meets} alone. */
const { setTimeout: realTimeout } = globalThis;
const longestWaitMs = 10_000;
Object.assign(globalThis, {
  setTimeout: (work: () => void, ms?: number, ...given: []) =>
    realTimeout(work, ms === longestWaitMs ? 1_000 * longestWaitMs : ms, ...given),
});
t.teardown(() => Object.assign(globalThis, { setTimeout: realTimeout }));

/** @param crowd sends the requests. @param allowed of them run or wait */
async function meets<A extends Answer>(
  t: Test,
  {
    crowd,
    allowed,
    letGo,
    other,
  }: { crowd: (() => Promise<A>)[]; allowed: number; letGo: () => void; other: () => Promise<A> },
): Promise<A[]> {
  const answered: A[] = [];
  const all = crowd.map((send) => send().then((answer) => answered.push(answer)));
  while (answered.length < crowd.length - allowed) await new Promise((done) => setTimeout(done, 5));
  t.match(await other(), { status: 200 }, 'another organization does not wait');
  const refused = [...answered];
  letGo();
  await Promise.all(all);
  t.strictSame(
    refused.map(({ status }) => status),
    Array.from(refused, () => 429),
  );
  t.equal(refused.length, crowd.length - allowed);
  for (const { status, headers } of refused) {
    t.equal(status, 429);
    t.match(headers['retry-after'], /^[1-9]\d*$/);
  }
  const statuses = new Set(answered.slice(refused.length).map(({ status }) => status));
  t.strictSame([...statuses], [200], 'the others are answered');
  return refused;
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));

t.test('searches for events', async (t) => {
  const [acme, foe] = [await makeTenant(container), await makeTenant(container)];
  const search = (as: typeof acme.owner) => call('POST /admin/v1/events/_search', { as, body: { limit: 1 } });
  const letGo = holdStore(t, container.events, {
    method: 'page',
    isHeld: (query) => (query as { resourceOwner?: string }).resourceOwner === acme.orgId,
  });
  const refused = await meets(t, {
    crowd: times(72, () => () => search(acme.owner)),
    allowed: 68,
    letGo,
    other: () => search(foe.owner),
  });
  t.match(refused[0]?.body, { id: 'directory.tooManySearches' });
});

t.test('counts of the users of an action', async (t) => {
  const [acme, foe] = [await makeTenant(container), await makeTenant(container)];
  const count = ({ orgId, manager }: typeof acme) =>
    call(`POST /admin/v1/orgs/${orgId}/user-actions`, {
      as: manager,
      body: { action: 'deactivate', search: { text: 'a' }, dryRun: true },
    });
  const letGo = holdStore(t, container.userSearch, {
    method: 'search',
    isHeld: (orgId) => orgId === acme.orgId,
  });
  const refused = await meets(t, {
    crowd: times(20, () => () => count(acme)),
    allowed: 17,
    letGo,
    other: () => count(foe),
  });
  t.match(refused[0]?.body, { id: 'directory.tooManySearches' });
});

t.test('polls for security events', async (t) => {
  const [acme, foe] = [await tenant(), await tenant()];
  const receivers = await Promise.all(
    times(55, () => client({ orgId: acme.orgId, role: 'ORG_USER_VIEWER' })),
  );
  const letGo = holdStore(t, container.eventReceivers, {
    method: 'find',
    isHeld: (orgId) => orgId === acme.orgId,
  });
  // Each receiver polls twice at once, which it may.
  const crowd = [...receivers, ...receivers].map((scim) => () => scim.post('/SecurityEvents', {}));
  const refused = await meets(t, {
    crowd,
    allowed: 101,
    letGo,
    other: () => foe.post('/SecurityEvents', {}),
  });
  t.match(refused[0]?.body, { detail: /more than 100 polls of the organization/ });
});

t.test('a receiver that polls three times at once', async (t) => {
  const [acme, foe] = [await tenant(), await tenant()];
  const letGo = holdStore(t, container.eventReceivers, {
    method: 'find',
    isHeld: (orgId) => orgId === acme.orgId,
  });
  const crowd = times(3, () => () => acme.post('/SecurityEvents', {}));
  await meets(t, { crowd, allowed: 2, letGo, other: () => foe.post('/SecurityEvents', {}) });
});

t.test('pages of the console', async (t) => {
  const [home, elsewhere] = [await makeHome(container, { name: 'Acme' }), await makeHome(container)];
  const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  const other = await openConsole(opened, elsewhere, { roles: ['ORG_OWNER'] });
  const users = (orgId: string) => `/console/orgs/${orgId}/users`;
  const letGo = holdStore(t, container.userSearch, {
    method: 'search',
    isHeld: (orgId) => orgId === home.id,
  });
  const refused = await meets(t, {
    crowd: times(108, () => () => owner.get(users(home.id))),
    allowed: 104,
    letGo,
    other: () => other.get(users(elsewhere.id)),
  });
  t.match(refused[0]?.text, /Wait a moment/);
});
