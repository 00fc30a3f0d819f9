import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linksByKey } from '#src/accounts/person-lists/index.js';
import { newId } from '#src/platform/ids.js';
import { testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  type Connected,
  isSignedIn,
  makeConnected,
  newVisitor,
  signInBy,
} from '../../support/oidc/connected.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());

async function personOf({ orgId }: Connected) {
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  return makePerson(container, organization);
}

const tell = ({ orgId, owner }: Connected, userId: string, key: string, value: unknown) =>
  call(`PUT /admin/v1/orgs/${orgId}/users/${userId}/metadata/${encodeURIComponent(key)}`, {
    as: owner,
    body: {
      value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64'),
    },
  });

/** Gives a person a link that waits for a connection, as an import does. */
async function leaveWaiting(
  { orgId }: Connected,
  userId: string,
  link: { provider: string; subject: string },
) {
  const now = clock.now();
  const list = {
    id: newId(),
    orgId,
    userId,
    items: linksByKey([link]),
    version: 1,
    created: now,
    lastModified: now,
  };
  await container.mongo.transactionOf(orgId, (transaction) =>
    container.identityLinks.insert(orgId, [list], transaction),
  );
}

/** Reads all pages. */
async function linkAll({ path, owner }: Connected, body: Record<string, unknown>) {
  const outcomes: Record<string, string> = {};
  let after: string | undefined;
  let pages = 0;
  do {
    const answer = await call(`POST ${path}/link-waiting`, {
      as: owner,
      body: { provider: 'google', ...body, after },
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    for (const { userId, outcome } of answer.body.items) outcomes[userId] = outcome;
    after = answer.body.next;
    pages += 1;
  } while (after !== undefined && pages < 10);
  return outcomes;
}

t.test('metadata and waiting links become links of the named connection, after a dry run', async (t) => {
  const acme = await makeConnected(service, provider, { creation: 'refuse' });
  const [anna, bob, boss, broken, other, waiting] = await Promise.all(
    Array.from({ length: 6 }, () => personOf(acme)),
  );
  if (!anna || !bob || !boss || !broken || !other || !waiting) throw new Error('Nobody');
  const google = (subject: string) => ({ provider: 'google', subject });
  t.equal((await tell(acme, anna.id, 'identity:google', google('anna'))).status, 200);
  await tell(acme, bob.id, 'identity:google', google('anna'));
  await tell(acme, boss.id, 'identity:google:2', google('boss'));
  await tell(acme, broken.id, 'identity:google', 'no json');
  await tell(acme, other.id, 'identity:googled', { provider: 'googled', subject: 'other' });
  await leaveWaiting(acme, waiting.id, google('waiting'));
  await addMembership(container, {
    ...{ userId: boss.id, role: 'ORG_USER_VIEWER', orgId: acme.orgId, editor: testEditor },
  });
  const planned = await linkAll(acme, { dryRun: true });
  t.strictSame(planned, {
    ...{ [waiting.id]: 'linked', [anna.id]: 'linked', [bob.id]: 'linked', [boss.id]: 'hasRole' },
    [broken.id]: 'unreadable',
  });
  t.equal((await signInBy(newVisitor(service), acme, provider, { sub: 'anna' })).status, 303);
  t.strictSame(
    (await container.identityLinks.findMany(acme.orgId, [anna.id])).length,
    0,
    'nothing was written',
  );
  const done = await linkAll(acme, {});
  const firstOfTwo = anna.id < bob.id ? anna : bob;
  const secondOfTwo = firstOfTwo === anna ? bob : anna;
  t.strictSame(done, {
    ...{ [waiting.id]: 'linked', [firstOfTwo.id]: 'linked', [secondOfTwo.id]: 'taken', [boss.id]: 'hasRole' },
    [broken.id]: 'unreadable',
  });
  t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'anna' })));
  t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'waiting' })));
  t.notOk(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'boss' })));
  const [list] = await container.identityLinks.findMany(acme.orgId, [waiting.id]);
  t.strictSame(
    Object.values(list?.items ?? {}),
    [{ connectionId: acme.connectionId, subject: 'waiting' }],
    'the link waits no longer',
  );
  t.match(
    await linkAll(acme, {}),
    { [firstOfTwo.id]: 'had', [secondOfTwo.id]: 'taken' },
    'it may be repeated',
  );
});

t.test('one organization reads and links nothing of another', async (t) => {
  const [acme, other] = [await makeConnected(service, provider), await makeConnected(service, provider)];
  const anna = await personOf(acme);
  await tell(acme, anna.id, 'identity:google', { provider: 'google', subject: 'anna' });
  t.strictSame(await linkAll(other, {}), {});
  const body = { provider: 'google' };
  t.equal((await call(`POST ${acme.path}/link-waiting`, { as: other.owner, body })).status, 404);
  const mixed = `/admin/v1/orgs/${other.orgId}/connections/${acme.connectionId}/link-waiting`;
  t.equal((await call(`POST ${mixed}`, { as: other.owner, body })).status, 404);
  const odd = { ...body, after: `metadata ${'x'.repeat(480)}` };
  t.match(await call(`POST ${acme.path}/link-waiting`, { as: acme.owner, body: odd }), {
    status: 200,
    body: { items: [] },
  });
  for (const after of ['', 'x'.repeat(501)])
    t.equal(
      (await call(`POST ${acme.path}/link-waiting`, { as: acme.owner, body: { ...body, after } })).status,
      400,
    );
});
