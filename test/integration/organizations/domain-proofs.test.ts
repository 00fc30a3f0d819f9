import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { createLogger } from '#src/platform/logger.js';
import { domainProofsWorker } from '../../../workers/domain-proofs.worker.js';
import { makeCaller, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startNameServer } from '../../support/network/name-server.js';

const names = await startNameServer(t);
const { container, call, clock } = await buildTestApp(t, { dnsServers: names.address });
const logger = createLogger({ level: 'silent', processName: 'test' });
const dayMs = 24 * 3_600_000;

/** An organization with a domain that nobody verified. */
async function withDomain(domainName = `${uniqueName('acme')}.example`) {
  const tenant = await makeTenant(container);
  const base = `/admin/v1/orgs/${tenant.orgId}/domains`;
  const added = await call(`POST ${base}`, { as: tenant.owner, body: { domainName } });
  if (added.status !== 201) throw new Error(JSON.stringify(added.body));
  return { ...tenant, domainName, base, path: `${base}/${domainName}` };
}

type Tenant = Awaited<ReturnType<typeof withDomain>>;

const begin = async ({ path, owner }: Tenant) => (await call(`POST ${path}/proof`, { as: owner })).body;
const check = async ({ path, owner }: Tenant) => {
  clock.advance(11);
  return (await call(`POST ${path}/proof/check`, { as: owner })).body.outcome;
};
const domainOf = async ({ path, owner }: Tenant) => (await call(`GET ${path}`, { as: owner })).body;

/** Proves a domain. Returns the record. */
async function prove(tenant: Tenant) {
  const record = await begin(tenant);
  names.answers.set(record.recordName, [record.recordValue]);
  t.equal(await check(tenant), 'proved');
  return record;
}

t.test('an owner proves a domain by a TXT record', async (t) => {
  const acme = await withDomain();
  const record = await begin(acme);
  t.equal(record.recordName, `_muster-challenge.${acme.domainName}`);
  t.match(record.recordValue, /^muster-domain-verification=[\w-]{43}$/);
  t.strictSame(await begin(acme), record, 'the record stays');
  const begun = await container.events.search({
    ...{ resourceOwner: acme.orgId, eventTypes: ['org.domainProof.begun'], limit: 5, ascending: true },
  });
  t.match(begun, [{ editor: { userId: acme.owner.id }, payload: { domainName: acme.domainName } }]);
  t.equal(begun.length, 1, 'a repetition begins nothing');
  for (const [answer, outcome] of [
    [undefined, 'recordMissing'],
    ['noData', 'recordMissing'],
    [['v=spf1 -all', `${record.recordValue}x`], 'recordOther'],
    ['failure', 'resolverFailed'],
  ] as const) {
    if (answer !== undefined) names.answers.set(record.recordName, answer);
    t.equal(await check(acme), outcome);
    t.match(await domainOf(acme), { isVerified: false });
  }
  names.answers.set(record.recordName, ['v=spf1 -all', record.recordValue]);
  t.equal(await check(acme), 'proved');
  t.match(await domainOf(acme), { isVerified: true, isPrimary: true });
  t.match((await call(`GET ${acme.path}/proof`, { as: acme.owner })).body, { proved: String });
  t.equal((await call(`POST ${acme.path}/proof`, { as: acme.owner })).status, 409, 'it is verified');
  const [event] = await container.events.search({
    ...{ resourceOwner: acme.orgId, eventTypes: ['org.changed'], limit: 1, ascending: false },
  });
  t.match(event, {
    editor: { userId: acme.owner.id },
    payload: { attributes: ['domains', 'unverifiedDomains'] },
  });
});

t.test('a domain belongs to the first organization that proves it', async (t) => {
  const acme = await withDomain();
  const thief = await withDomain(acme.domainName);
  const [record, theirs] = [await begin(acme), await begin(thief)];
  t.not(record.recordValue, theirs.recordValue);
  names.answers.set(record.recordName, [record.recordValue]);
  t.equal(await check(thief), 'recordOther', 'the record of one proves nothing for another');
  t.equal(await check(acme), 'proved');
  names.answers.set(record.recordName, [record.recordValue, theirs.recordValue]);
  clock.advance(11);
  const taken = await call(`POST ${thief.path}/proof/check`, { as: thief.owner });
  t.match(taken, { status: 409 });
  t.match(await domainOf(thief), { isVerified: false });
  t.match(await domainOf(acme), { isVerified: true });
});

t.test('domains with mailboxes for everybody are refused, and an instance owner may mark one', async (t) => {
  for (const domainName of ['gmail.com', 'mail.gmail.com', 'outlook.com', 'gmx.de']) {
    const acme = await withDomain(domainName);
    const refused = await call(`POST ${acme.path}/proof`, { as: acme.owner });
    t.match(refused, { status: 400 }, domainName);
    t.match(JSON.stringify(refused.body), 'directory.domainPublic');
    await call(`DELETE ${acme.path}`, { as: acme.owner });
  }
  const acme = await withDomain();
  const operator = await makeCaller(container, acme.orgId, ['IAM_OWNER']);
  t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: { isVerified: true } })).status, 403);
  t.equal((await call(`PATCH ${acme.path}`, { as: operator, body: { isVerified: true } })).status, 200);
});

t.test('questions are few: each check asks one, and waits for the next', async (t) => {
  const acme = await withDomain();
  const { recordName } = await begin(acme);
  const before = names.asked.length;
  t.equal(await check(acme), 'recordMissing');
  t.strictSame(names.asked.slice(before), [recordName]);
  const again = await Promise.all(
    Array.from({ length: 5 }, () => call(`POST ${acme.path}/proof/check`, { as: acme.owner })),
  );
  t.ok(again.every(({ status, headers }) => status === 429 && headers['retry-after'] === '10'));
  t.equal(names.asked.length, before + 1);
  const other = await withDomain();
  t.equal((await call(`POST ${other.path}/proof/check`, { as: other.owner })).status, 404, 'not begun');
  t.equal((await call(`GET ${other.path}/proof`, { as: other.owner })).status, 404);
  t.equal((await call(`POST ${other.base}/no_domain/proof`, { as: other.owner })).status, 400);
  t.equal((await call(`POST ${other.base}/unknown.example/proof`, { as: other.owner })).status, 404);
  t.equal((await call(`POST ${acme.path}/proof/check`, { as: other.owner })).status, 404);
});

t.test('a resolver that never answers costs some seconds', { timeout: 30_000 }, async (t) => {
  const acme = await withDomain();
  const { recordName } = await begin(acme);
  names.answers.set(recordName, 'silent');
  const began = performance.now();
  t.equal(await check(acme), 'resolverFailed');
  t.ok(performance.now() - began < 15_000);
});

t.test('a record that is missing for a week ends the domain, and its owners learn of it', async (t) => {
  const told: { kind: string; userId: string }[] = [];
  const notices = {
    ...container.notices,
    put: async (given: readonly { kind: string; userId: string }[]) => void told.push(...given),
  };
  const run = () => domainProofsWorker({ ...container, notices, mailer: {} as never })(logger);
  const acme = await withDomain();
  const record = await prove(acme);
  const organization = await container.organizations.find(acme.orgId);
  if (organization === undefined) throw new Error('No organization');
  const person = await makePerson(container, organization);
  await addMembership(container, {
    ...{ userId: person.id, role: 'ORG_OWNER', orgId: acme.orgId, editor: testEditor },
  });
  const before = names.asked.length;
  await run();
  t.equal(names.asked.length, before, 'not due yet');
  clock.advance(dayMs / 1000 + 1);
  await run();
  t.ok(names.asked.slice(before).includes(record.recordName));
  t.match(await domainOf(acme), { isVerified: true });
  names.answers.set(record.recordName, 'failure');
  names.answers.set('example', 'failure');
  for (let day = 0; day < 9; day++) {
    clock.advance(dayMs / 1000 + 1);
    await run();
  }
  t.match(await domainOf(acme), { isVerified: true }, 'a resolver that finds out nothing ends nothing');
  names.answers.delete('example');
  t.strictSame(told, []);
  names.answers.set(record.recordName, ['v=spf1 -all']);
  for (let day = 0; day < 7; day++) {
    clock.advance(dayMs / 1000 + 1);
    await run();
    t.match(await domainOf(acme), { isVerified: true }, `day ${day}`);
  }
  const mine = () => told.filter(({ userId }) => userId === person.id).map(({ kind }) => kind);
  t.strictSame(mine(), ['domainFailing'], 'the owner is told once');
  clock.advance(dayMs / 1000 + 1);
  await run();
  t.match(await domainOf(acme), { isVerified: false, isPrimary: false });
  t.strictSame(mine(), ['domainFailing', 'domainLapsed']);
  names.answers.set(record.recordName, [record.recordValue]);
  t.equal(await check(acme), 'proved', 'the same record proves it again');
});

t.test('a domain whose name servers fail for a week ends, as one without a record does', async (t) => {
  const put = async () => {};
  const run = () => domainProofsWorker({ ...container, notices: { ...container.notices, put } })(logger);
  const tenants = [await withDomain(), await withDomain(), await withDomain()] as const;
  const [failing, other, back] = tenants;
  const records = [await prove(failing), await prove(other), await prove(back)] as const;
  const nextDay = async () => {
    clock.advance(dayMs / 1000 + 1);
    await run();
  };
  for (const { recordName } of records) names.answers.set(recordName, 'failure');
  const before = names.asked.length;
  await nextDay();
  t.equal(names.asked.slice(before).filter((name) => name === 'example').length, 1, 'one question for all');
  names.answers.set(records[2].recordName, [records[2].recordValue]);
  // Days of an outage neither count as found nor end what is failing.
  names.answers.set('example', 'failure');
  for (let day = 1; day < 4; day++) await nextDay();
  t.match((await call(`GET ${failing.path}/proof`, { as: failing.owner })).body, { failingSince: String });
  names.answers.set('example', 'noData');
  names.answers.set(records[1].recordName, [records[1].recordValue]);
  for (let day = 4; day < 7; day++) await nextDay();
  t.match(await domainOf(failing), { isVerified: true }, 'not before the week is over');
  await nextDay();
  t.match(await domainOf(failing), { isVerified: false });
  for (const found of [other, back]) t.match(await domainOf(found), { isVerified: true });
});

t.test('a domain that is found again, removed or marked is no longer failing', async (t) => {
  const put = async () => {};
  const run = () => domainProofsWorker({ ...container, notices: { ...container.notices, put } })(logger);
  const [found, removed, marked] = [await withDomain(), await withDomain(), await withDomain()];
  const records = [await prove(found), await prove(removed), await prove(marked)];
  for (const { recordName } of records) names.answers.set(recordName, 'noName');
  clock.advance(dayMs / 1000 + 1);
  await run();
  t.match((await call(`GET ${found.path}/proof`, { as: found.owner })).body, { failingSince: String });
  const operator = await makeCaller(container, marked.orgId, ['IAM_OWNER']);
  t.equal((await call(`PATCH ${marked.path}`, { as: operator, body: { isVerified: true } })).status, 200);
  t.equal((await call(`DELETE ${removed.path}`, { as: removed.owner })).status, 204);
  t.equal(await container.domainProofs.find(removed.orgId, removed.domainName), undefined);
  names.answers.set(records[0]?.recordName ?? '', [records[0]?.recordValue ?? '']);
  for (let day = 0; day < 9; day++) {
    clock.advance(dayMs / 1000 + 1);
    await run();
  }
  t.match(await domainOf(marked), { isVerified: true }, 'the word of the operator needs no record');
  const { body } = await call(`GET ${found.path}/proof`, { as: found.owner });
  t.equal(body.failingSince, undefined);
  t.match(await domainOf(found), { isVerified: true });
});

t.test('a name is one domain: lower case, without a dot at its end, and as DNS has it', async (t) => {
  const { base, owner } = await withDomain();
  const add = (domainName: string) => call(`POST ${base}`, { as: owner, body: { domainName } });
  for (const domainName of [
    'acme.example.',
    'gmail.com.',
    '.acme.example',
    'acme..example',
    'm\u00fcnchen.example',
  ])
    t.equal((await add(domainName)).status, 400, domainName);
  for (const domainName of [
    '_dmarc.acme.example',
    'acme',
    '*.acme.example',
    'acme.example/x',
    'acme.example:53',
  ])
    t.equal((await add(domainName)).status, 400, domainName);
  const punycode = `xn--mnchen-3ya.${uniqueName('acme')}.example`;
  t.match(await add(punycode.toUpperCase()), { status: 201, body: { domainName: punycode } });
  t.equal((await add(punycode)).status, 409, 'the same one');
  const { body } = await call(`POST ${base}/${punycode.toUpperCase()}/proof`, { as: owner });
  t.equal(body.recordName, `_muster-challenge.${punycode}`);
  t.equal((await add('GMail.com')).status, 201);
  for (const path of ['gmail.com', 'GMAIL.COM'])
    t.match(await call(`POST ${base}/${path}/proof`, { as: owner }), {
      ...{ status: 400, body: { id: 'directory.domainPublic' } },
    });
});

t.test('a domain below a proved one needs a record of its own, of whomever', async (t) => {
  const acme = await withDomain();
  const record = await prove(acme);
  const below = await withDomain(`mail.${acme.domainName}`);
  const theirs = await begin(below);
  t.equal(theirs.recordName, `_muster-challenge.mail.${acme.domainName}`);
  t.equal(await check(below), 'recordMissing');
  names.answers.set(theirs.recordName, [record.recordValue]);
  t.equal(await check(below), 'recordOther', 'the record of the domain above proves nothing');
  names.answers.set(theirs.recordName, [theirs.recordValue]);
  t.equal(await check(below), 'proved', 'whoever publishes names there');
  t.match(await domainOf(acme), { isVerified: true });
});

t.test(
  'a resolver that lies, leads elsewhere or says too much proves nothing by it',
  { timeout: 60_000 },
  async (t) => {
    const all = await Promise.all(Array.from({ length: 6 }, () => withDomain()));
    const records = await Promise.all(all.map(begin));
    const said = ({ recordValue }: { recordValue: string }) => [recordValue];
    const many = Array.from({ length: 120 }, (_, at) => `other-${at}`);
    const answers = [
      (own: { recordValue: string }) => ({ texts: said(own), lie: 'otherRequest' as const }),
      (own: { recordValue: string }) => ({ texts: said(own), lie: 'otherQuestion' as const }),
      (own: { recordValue: string }) => [...many, own.recordValue],
      (own: { recordValue: string }) => [`${own.recordValue}${' '.repeat(1_000)}`],
      (own: { recordValue: string }) => [own.recordValue.toUpperCase()],
      (own: { recordValue: string }) => ({
        ...{ texts: said(own), aliases: Array.from({ length: 8 }, (_, at) => `a${at}.elsewhere.example`) },
      }),
    ];
    records.forEach((own, at) => {
      const answer = answers[at]?.(own);
      if (answer !== undefined) names.answers.set(own.recordName, answer);
    });
    clock.advance(11);
    const began = performance.now();
    const outcomes = await Promise.all(
      all.map(
        async ({ path, owner }) => (await call(`POST ${path}/proof/check`, { as: owner })).body.outcome,
      ),
    );
    t.ok(performance.now() - began < 20_000, 'it ends by its time');
    t.strictSame(outcomes.slice(0, 2), ['resolverFailed', 'resolverFailed'], 'what answers another question');
    for (const outcome of outcomes.slice(2, 5)) t.match(outcome, /^(recordOther|resolverFailed)$/);
    t.equal(outcomes[5], 'proved', 'an alias is followed, as for everybody');
    for (const one of all.slice(0, 5)) t.match(await domainOf(one), { isVerified: false });
  },
);

t.test('another organization proves a domain as soon as the first one lost it, and not before', async (t) => {
  const put = async () => {};
  const run = () => domainProofsWorker({ ...container, notices: { ...container.notices, put } })(logger);
  const seller = await withDomain();
  const record = await prove(seller);
  const buyer = await withDomain(seller.domainName);
  const theirs = await begin(buyer);
  // The name servers are those of the buyer now.
  names.answers.set(record.recordName, [theirs.recordValue]);
  for (let day = 0; day < 8; day++) {
    clock.advance(dayMs / 1000 + 1);
    const tried = await call(`POST ${buyer.path}/proof/check`, { as: buyer.owner });
    t.equal(tried.status, 409, `day ${day}`);
    await run();
  }
  t.match(await domainOf(seller), { isVerified: false });
  t.equal(await check(buyer), 'proved');
  names.answers.set(record.recordName, [record.recordValue, theirs.recordValue]);
  clock.advance(11);
  t.equal((await call(`POST ${seller.path}/proof/check`, { as: seller.owner })).status, 409);
  t.match(await domainOf(buyer), { isVerified: true });
});
