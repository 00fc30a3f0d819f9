import t from 'tap';
import type { PersonalAccessToken, ServiceUser } from '#src/clients/service-users/service-user.js';
import {
  defaultLoginSettings,
  defaultPasswordPolicy,
  type Organization,
} from '#src/directory/organization.js';
import type { Membership, Role } from '#src/directory/roles.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';

import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const { mongo, organizations, serviceUsers, personalAccessTokens, memberships } = container;
const at = new Date('2026-01-02T03:04:05.678Z');
const inTransaction = mongo.transaction;

/** Whether the write was refused because something is taken. */
async function taken(write: Promise<unknown>): Promise<boolean> {
  return isDuplicateKey(await write.catch((error: unknown) => error));
}

/** All identifiers, page by page. */
async function paged(
  find: (query: { after?: string; limit: number }) => Promise<{ id: string }[]>,
  limit: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const after = ids.at(-1);
    const page = await find({ limit, ...(after !== undefined && { after }) });
    ids.push(...page.map(({ id }) => id));
    if (page.length < limit) return ids;
  }
}

t.test('organizations', async (t) => {
  const organizationOf = (id: string, domains: string[] = []): Organization => ({
    id,
    name: `Name of ${id}`,
    domains,
    unverifiedDomains: [],
    passwordPolicy: defaultPasswordPolicy,
    login: defaultLoginSettings,
    version: 1,
    created: at,
    lastModified: at,
  });
  const insert = (organization: Organization) =>
    inTransaction((transaction) => organizations.insert(organization, transaction));
  const replace = (organization: Organization, expectedVersion: number) =>
    inTransaction((transaction) => organizations.replace(organization, expectedVersion, transaction));

  const acme = organizationOf('acme', ['acme.example', 'acme.test']);
  for (const organization of [acme, organizationOf('beta'), organizationOf('gamma')])
    await insert(organization);
  t.same(await organizations.find('acme'), acme);
  t.same(await organizations.find('beta'), organizationOf('beta'));
  t.equal(await organizations.find('none'), undefined);
  t.same(await paged(organizations.page, 2), ['acme', 'beta', 'gamma']);

  t.ok(await taken(insert(organizationOf('acme'))));
  t.ok(await taken(insert(organizationOf('delta', ['new.example', 'acme.test']))), 'one domain is enough');
  t.equal(await organizations.find('delta'), undefined);
  t.ok(await taken(replace(organizationOf('beta', ['acme.example']), 1)));

  const next = { ...organizationOf('acme'), version: 2 };
  t.equal(await replace(next, 5), false);
  t.equal(await replace(next, 1), true);
  t.equal(await replace(next, 1), false);
  t.same(await organizations.find('acme'), next);
  t.equal(
    await replace({ ...organizationOf('beta', ['acme.example']), version: 2 }, 1),
    true,
    'a domain is free again',
  );
});

t.test('service users', async (t) => {
  const serviceUserOf = (orgId: string, id: string, more: Partial<ServiceUser> = {}): ServiceUser => ({
    id,
    orgId,
    userName: `Name of ${id}`,
    name: id,
    active: true,
    accessTokenType: 'opaque',
    ignorePasswordOnCreate: false,
    secrets: [],
    keys: [],
    version: 1,
    created: at,
    lastModified: at,
    ...more,
  });
  const insert = (user: ServiceUser) =>
    inTransaction((transaction) => serviceUsers.insert(user.orgId, [user], transaction));
  const replace = (orgId: string, user: ServiceUser, expectedVersion: number) =>
    inTransaction((transaction) => serviceUsers.replace(orgId, { user, expectedVersion }, transaction));
  const secrets = [{ id: 's', hash: 'hash-1', created: at }];

  const one = serviceUserOf('a', 'su1', { userName: 'Okta', description: 'D', secrets });
  for (const user of [one, serviceUserOf('a', 'su2'), serviceUserOf('b', 'su3', { userName: 'okta' })])
    await insert(user);
  t.same(await serviceUsers.find('a', 'su1'), one);
  t.equal(await serviceUsers.find('b', 'su1'), undefined);
  t.same(await serviceUsers.findById('su1'), one);
  t.same(await paged((query) => serviceUsers.page('a', query), 1), ['su1', 'su2']);
  t.same(await paged((query) => serviceUsers.page('c', query), 1), []);
  t.ok(await taken(insert(serviceUserOf('a', 'su4', { userName: 'OKTA' }))));
  t.ok(await taken(insert(serviceUserOf('c', 'su1'))));

  for (const clientId of ['su1', 'Okta', 'oKTA']) {
    t.same(await serviceUsers.findByCredentials(clientId, 'hash-1'), one, clientId);
    t.equal(await serviceUsers.findByCredentials(clientId, 'hash-2'), undefined);
  }
  t.equal(await serviceUsers.findByCredentials('su2', 'hash-1'), undefined);

  const { description: _, ...next } = { ...one, version: 2, active: false, secrets: [] };
  t.equal(await replace('a', next, 9), false);
  t.equal(await replace('b', next, 1), false);
  t.equal(await replace('a', next, 1), true);
  t.same(await serviceUsers.find('a', 'su1'), next);
  t.equal(await serviceUsers.findByCredentials('su1', 'hash-1'), undefined);
  t.equal(await inTransaction((transaction) => serviceUsers.anyActive(['su1', 'none'], transaction)), false);
  t.equal(await inTransaction((transaction) => serviceUsers.anyActive(['su1', 'su2'], transaction)), true);

  const remove = (orgId: string, expectedVersion: number) =>
    inTransaction((transaction) => serviceUsers.remove(orgId, { id: 'su1', expectedVersion }, transaction));
  t.equal(await remove('b', 2), false);
  t.equal(await remove('a', 1), false);
  t.equal(await remove('a', 2), true);
  t.equal(await serviceUsers.findById('su1'), undefined);
});

t.test('personal access tokens', async (t) => {
  const tokenOf = (orgId: string, userId: string, id: string): PersonalAccessToken => ({
    id,
    userId,
    orgId,
    hash: `hash of ${id}`,
    created: at,
    expires: new Date(Date.now() + 3600_000),
  });
  const first = tokenOf('a', 'u1', 't1');
  const all = [
    first,
    tokenOf('a', 'u1', 't2'),
    tokenOf('a', 'u1', 't3'),
    tokenOf('a', 'u2', 't4'),
    tokenOf('b', 'u1', 't5'),
  ];
  for (const token of all) {
    await inTransaction((transaction) => personalAccessTokens.insert(token.orgId, token, transaction));
  }
  t.same(await personalAccessTokens.findById('t1'), first);
  t.equal(await personalAccessTokens.findById('none'), undefined);
  const list = (orgId: string, userId: string) =>
    paged((query) => personalAccessTokens.page(orgId, { userId, ...query }), 2);
  t.same(await list('a', 'u1'), ['t1', 't2', 't3']);
  t.same(await list('b', 'u2'), []);

  const remove = (orgId: string, userId: string) =>
    inTransaction((transaction) => personalAccessTokens.remove(orgId, { id: 't1', userId }, transaction));
  t.equal(await remove('b', 'u1'), false);
  t.equal(await remove('a', 'u2'), false);
  t.equal(await remove('a', 'u1'), true);
  t.equal(await remove('a', 'u1'), false);
  const removed = await inTransaction((transaction) =>
    personalAccessTokens.removeAll('a', 'u1', transaction),
  );
  t.same(removed.sort(), ['t2', 't3']);
  t.same([await list('a', 'u1'), await list('a', 'u2'), await list('b', 'u1')], [[], ['t4'], ['t5']]);
});

t.test('memberships', async (t) => {
  const membershipOf = (id: string, userId: string, role: Role, orgId?: string): Membership => ({
    id,
    userId,
    role,
    created: at,
    ...(orgId !== undefined && { orgId }),
  });
  const insert = (membership: Membership) =>
    inTransaction((transaction) => memberships.insert([membership], new Map(), transaction));
  const instance = membershipOf('m1', 'u1', 'IAM_OWNER');
  const all = [
    instance,
    membershipOf('m2', 'u1', 'ORG_OWNER', 'a'),
    membershipOf('m3', 'u1', 'ORG_USER_VIEWER', 'a'),
    membershipOf('m4', 'u2', 'ORG_OWNER', 'b'),
    membershipOf('m5', 'u2', 'IAM_OWNER'),
  ];
  for (const membership of all) await insert(membership);
  t.same(await memberships.find('m1'), instance);
  t.same(await memberships.find('m2'), all[1]);
  t.equal(await memberships.find('none'), undefined);
  t.same(new Set(await memberships.ofUser('u1')), new Set(all.slice(0, 3)));
  t.same(await memberships.ofUser('u3'), []);
  t.same(await paged((query) => memberships.page(undefined, query), 1), ['m1', 'm5']);
  t.same(await paged((query) => memberships.page('a', query), 1), ['m2', 'm3']);
  t.same(await memberships.pageByUser('a', { limit: 1 }), [all[1]]);
  t.same(await memberships.pageByUser('a', { after: { userId: 'u1', role: 'ORG_OWNER' }, limit: 9 }), [
    all[2],
  ]);
  t.same(
    await memberships.pageByUser('a', { after: { userId: 'u1', role: 'ORG_USER_VIEWER' }, limit: 9 }),
    [],
  );
  t.same(await memberships.pageByUser('b', { after: { userId: 'u1', role: 'ORG_USER_VIEWER' }, limit: 9 }), [
    all[3],
  ]);
  t.ok(await taken(insert(membershipOf('m6', 'u1', 'ORG_OWNER', 'a'))));
  t.ok(await taken(insert(membershipOf('m6', 'u1', 'IAM_OWNER'))));

  const owners = await inTransaction((transaction) => memberships.lockInstanceMembers(transaction));
  t.same(owners.sort(), ['u1', 'u2']);
  t.same(await memberships.find('m1'), instance, 'that it was locked is not part of it');

  const remove = () => inTransaction((transaction) => memberships.remove('m2', transaction));
  t.equal(await remove(), true);
  t.equal(await remove(), false);
  const removed = await inTransaction((transaction) => memberships.removeAll(['u1'], transaction));
  t.same(removed.map(({ id }) => id).sort(), ['m1', 'm3']);
  t.same(await memberships.ofUser('u1'), []);
  t.equal((await memberships.ofUser('u2')).length, 2);
});
