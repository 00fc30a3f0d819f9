import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { nameSubject } from '#src/authentication/attempt-subjects.js';
import { setPassword } from '#src/authentication/set-password.js';
import { makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { startHookServer } from '../../support/network/hook-server.js';
import { visit } from '../../support/oidc/visitor.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const { container, app, call, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 150,
  privateHookHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
});
const hook = await startHookServer(t, certificate);
/** A question that a busy machine answers in time. Every failure of its organization takes as long. */
const patient = 5_000;
/** For hooks that are not asked, or whose answer does not count. */
const hasty = 200;

/** An organization whose former service is the hook. */
async function makeHooked(timeoutMilliseconds = patient, url = hook.url) {
  const tenant = await makeTenant(container);
  const path = `/admin/v1/orgs/${tenant.orgId}/migration-hook`;
  const put = await call(`PUT ${path}`, { as: tenant.owner, body: { url, timeoutMilliseconds } });
  t.equal(put.status, 200);
  const organization = await container.organizations.find(tenant.orgId);
  if (organization === undefined) throw new Error('The organization is missing');
  return { ...tenant, organization, path, secret: String(put.body.secret) };
}
type Hooked = Awaited<ReturnType<typeof makeHooked>>;

let lastAddress = 0;

/** Signs in at the organization. Returns the status, the page and the time in milliseconds. */
async function signIn(organization: string, loginName: string, password = goodPassword) {
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  const page = await visitor.get('/login');
  const began = performance.now();
  const seen = await visitor.post('/login', {
    ...Object.fromEntries(
      [...page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ),
    loginName,
    password,
    organization,
  });
  return { ...seen, took: performance.now() - began };
}

const answering = (answer: unknown) => {
  hook.respond = (_request, response) => response.end(JSON.stringify(answer));
};
const confirming = (user: Record<string, unknown>) => answering({ confirmed: true, user });

async function named(orgId: string, userName: string) {
  return container.accounts.findByUserName(orgId, userName.toLowerCase());
}

async function eventsOf(id: string) {
  const found = await container.events.search({ aggregateId: id, limit: 100, ascending: true });
  return found.map(({ type }) => type);
}

async function failuresOf({ orgId }: Hooked) {
  const eventTypes = ['org.migrationHook.failed'] as const;
  const found = await container.events.search({ aggregateId: orgId, eventTypes, limit: 9, ascending: true });
  return found.map(({ payload }) => payload['reason']);
}

t.test('a person whom nobody knows here signs in, and needs the hook no more', async (t) => {
  const home = await makeHooked();
  const userName = uniqueName('lazy');
  const user = {
    userName,
    givenName: 'Lea',
    familyName: 'Roth',
    email: `${userName}@old.example`,
    externalId: 'x-1',
  };
  confirming(user);
  const before = hook.asked.length;
  t.match(await signIn(home.orgId, userName), { status: 303 });
  const [question] = hook.asked.slice(before);
  t.equal(hook.asked.length, before + 1, 'asked once');
  t.match(JSON.parse(question?.body ?? ''), {
    loginName: userName,
    password: goodPassword,
    organizationId: home.orgId,
  });
  const timestamp = String(question?.headers['muster-timestamp']);
  t.ok(Math.abs(Number(timestamp) - clock.now().getTime() / 1000) < 120);
  const signed = createHmac('sha256', home.secret).update(`${timestamp}.${question?.body}`).digest('hex');
  t.equal(question?.headers['muster-signature'], `v1=${signed}`);
  const account = await named(home.orgId, userName);
  t.match(account, {
    user: { name: { givenName: 'Lea', familyName: 'Roth' }, externalId: 'x-1', active: true },
    password: { hash: /^\$argon2id/ },
  });
  t.same(account?.importedCredentials, { password: account?.password?.changed });
  t.same(await eventsOf(account?.user.id ?? ''), ['user.human.added', 'user.human.password.check.succeeded']);
  t.match(await signIn(home.orgId, `${userName}@old.example`), { status: 303 }, 'the password is here');
  t.equal((await signIn(home.orgId, userName, 'Wrong-Horse-7')).status, 400);
  t.equal(hook.asked.length, before + 1, 'not asked about somebody with a password');
});

t.test('the hook gets what was typed, and the password then signs in however it is typed', async (t) => {
  const home = await makeHooked();
  const userName = uniqueName('accent');
  confirming({ userName, givenName: 'Lea', familyName: 'Roth', email: `${userName}@old.example` });
  const before = hook.asked.length;
  const typed = 'Grün-Bühne-7'.normalize('NFD');
  t.match(await signIn(home.orgId, userName, typed), { status: 303 });
  t.equal(JSON.parse(hook.asked.at(-1)?.body ?? '').password, typed);
  t.match(await signIn(home.orgId, userName, typed.normalize('NFC')), { status: 303 });
  t.equal(hook.asked.length, before + 1);
});

t.test('a user without a password is completed, and keeps what it has', async (t) => {
  const home = await makeHooked();
  const person = await makePerson(container, home.organization, { password: null });
  confirming({
    userName: person.userName,
    familyName: 'Other',
    phoneNumber: '+49 30 1234567',
    email: 'x@evil.example',
  });
  t.match(await signIn(home.orgId, person.userName, 'weak'), { status: 303 });
  const account = await named(home.orgId, person.userName);
  t.match(account, {
    user: { id: person.id, name: { familyName: 'Lind' }, phoneNumbers: [{ value: /\+49/ }] },
    password: { changeRequired: true },
  });
  t.same(account?.user.emails, person.emails, 'no hook chooses where links go');
  t.ok((await eventsOf(person.id)).includes('user.human.password.changed'));
  // The person has chosen no password here, so that an update of an import may replace it.
  const planned = async () => {
    const hashed = humanUser(person.userName, { userId: person.id });
    const plan = await container.importSections.find('humanUsers', 'external')?.plan([hashed], {
      orgId: home.orgId,
      form: 'external',
      editor: testEditor,
      update: true,
      failed: [],
      now: clock.now(),
      findReserved: async () => new Set(),
      findReservingRecords: async () => [],
    });
    return plan?.doubts;
  };
  t.same(await planned(), []);
  await setPassword(container, {
    organization: home.organization,
    id: person.id,
    password: 'Own-Horse-9!',
    editor: testEditor,
  });
  t.same(await planned(), [{ record: 0, path: 'user.hashedPassword' }]);
});

t.test('whatever the hook does, the failure looks the same and takes the same time', async (t) => {
  const huge = (response: ServerResponse) => {
    response.on('error', () => undefined);
    for (let i = 0; i < 40; i++) response.write('x'.repeat(4_096));
    response.end();
  };
  const person = (userName: string) => ({ confirmed: true, user: { userName } });
  // 64 MiB of blanks before a right answer would be read. They are 64 kB in gzip, which Muster does not unpack.
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  const json = (make: (name: string) => unknown) => (name: string, response: ServerResponse) =>
    response.end(JSON.stringify(make(name)));
  const hostile: Record<string, (name: string, response: ServerResponse) => void> = {
    refusing: json(() => ({ confirmed: false })),
    slow: () => undefined,
    'drop by drop': (_name, response) => {
      const drops = setInterval(() => response.write(' '), 20);
      response.on('error', () => undefined).on('close', () => clearInterval(drops));
    },
    huge: (_name, response) => huge(response),
    redirecting: (_name, response) => response.writeHead(307, { location: 'https://127.0.0.1/' }).end(),
    failing: (_name, response) => response.writeHead(500).end('secret-of-the-hook'),
    'cut off': (_name, response) => response.destroy(),
    'another person': json(() => person('somebody-else')),
    'a bomb in gzip': (_name, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    'two answers': (name, response) => response.end(`{"confirmed":false}${JSON.stringify(person(name))}`),
    'another name beside the address': json((name) => ({
      confirmed: true,
      user: { userName: 'root', email: name, emailVerified: false },
    })),
    roles: json((name) => ({ confirmed: true, user: { userName: name, roles: ['IAM_OWNER'] } })),
    'a wrong value': json((name) => ({ confirmed: true, user: { userName: name, locale: '!' } })),
  };
  const attempts = await Promise.all(
    Object.entries(hostile).map(async ([kind, respond]) => {
      const home = await makeHooked();
      const loginName = `${uniqueName('hostile')}@people.example`;
      return { kind, respond, home, loginName };
    }),
  );
  hook.respond = ({ body }, response) => {
    const asked = String(JSON.parse(body).loginName);
    attempts.find(({ loginName }) => loginName === asked)?.respond(asked, response);
  };
  const home = await makeHooked();
  const known = await makePerson(container, home.organization);
  const [wrong, ...seen] = await Promise.all([
    signIn(home.orgId, known.userName, 'Wrong-Horse-7'),
    ...attempts.map(({ home: { orgId }, loginName }) => signIn(orgId, loginName)),
  ]);
  t.notOk(
    hook.asked.some(({ body }) => body.includes(known.userName)),
    'not asked about somebody with a password',
  );
  const pages = new Set([plain(wrong.text, known.userName, home.orgId)]);
  for (const [at, { kind, home, loginName }] of attempts.entries()) {
    t.equal(seen[at]?.status, 400, kind);
    pages.add(plain(seen[at]?.text ?? '', loginName, home.orgId));
    t.equal(await named(home.orgId, loginName), undefined, `${kind}: nobody was added`);
    const failures = await failuresOf(home);
    if (kind !== 'refusing') t.equal(failures.length, 1, kind);
    t.notMatch(JSON.stringify(failures), new RegExp(`${goodPassword}|secret-of-the-hook`));
  }
  const times = [wrong, ...seen].map(({ took }) => took);
  t.equal(pages.size, 1, 'one page');
  const least = patient + container.config.loginFailureMilliseconds;
  t.ok(Math.min(...times) >= least - 5, `none is faster than ${least} ms: ${times.map(Math.round)}`);
  // A kind of failure that waited for the hook once more would take as long again.
  t.ok(Math.max(...times) < least + patient / 2, `nor much slower: ${times.map(Math.round)}`);
});

t.test('a hook that tells the address of somebody else takes no login name away', async (t) => {
  const [home, elsewhere] = [await makeHooked(), await makeHooked()];
  const owners = [
    await makePerson(container, elsewhere.organization),
    await makePerson(container, home.organization),
  ];
  // Of two people with one address, the one who has it for the longest time is meant.
  clock.advance(1);
  for (const { orgId, userName, emails } of owners) {
    const address = String(emails[0]?.value);
    const liar = uniqueName('liar');
    confirming({ userName: liar, email: address, emailVerified: true });
    await signIn(home.orgId, liar, 'Liars-Horse-7');
    t.equal((await signIn(orgId, userName)).status, 303, 'the user name leads to its owner');
    t.equal((await signIn('', address)).status, 303, 'and the address too');
    t.equal((await signIn('', address, 'Liars-Horse-7')).status, 400);
    t.match((await container.accounts.findByUserName(orgId, userName.toLowerCase()))?.user.emails, emails);
  }
});

/** The page without what was typed and what is random. */
function plain(text: string, loginName: string, orgId: string): string {
  return text
    .replaceAll(loginName, 'NAME')
    .replaceAll(orgId, 'ORG')
    .replace(/name="(?:csrf|response)" value="[^"]*"/g, '')
    .replace(/nonce="[^"]*"|value="[\w-]{30,}"/g, '');
}

t.test('a private address is not asked, also behind a name', async (t) => {
  const { port } = new URL(hook.url);
  for (const url of [`https://[::1]:${port}/`, `https://10.0.0.1/`, 'https://169.254.169.254/latest']) {
    const home = await makeHooked(hasty, url);
    const before = hook.asked.length;
    t.equal((await signIn(home.orgId, uniqueName('private'))).status, 400);
    t.match(await failuresOf(home), [/private address/]);
    t.equal(hook.asked.length, before);
  }
});

t.test('the limits of attempts count before the hook is asked', async (t) => {
  const home = await makeHooked(hasty);
  const loginName = uniqueName('guessed');
  answering({ confirmed: false });
  const subject = nameSubject(loginName, home.orgId);
  for (let i = 0; i < container.config.loginMaxFailures; i++)
    await container.loginAttempts.begin(subject, container.config.loginMaxFailures);
  const before = hook.asked.length;
  confirming({ userName: loginName });
  t.equal((await signIn(home.orgId, loginName)).status, 429);
  t.equal(hook.asked.length, before);
});

t.test('repeated failures end the questions for a while', async (t) => {
  const home = await makeHooked(hasty);
  hook.respond = (_request, response) => response.writeHead(503).end();
  const attempts = Array.from({ length: 5 }, () => signIn(home.orgId, uniqueName('down')));
  await Promise.all(attempts);
  const userName = uniqueName('after');
  confirming({ userName });
  t.equal((await signIn(home.orgId, userName)).status, 400);
  t.notOk(
    hook.asked.some(({ body }) => body.includes(userName)),
    'not asked during the pause',
  );
  clock.advance(31);
  const body = { url: hook.url, timeoutMilliseconds: patient };
  t.equal((await call(`PUT ${home.path}`, { as: home.owner, body })).status, 200);
  t.equal((await signIn(home.orgId, userName)).status, 303, 'one trial after the pause');
});

t.test('a hook cannot take over people with rights elsewhere, or inactive ones', async (t) => {
  const home = await makeHooked(hasty);
  const operator = await makePerson(container, home.organization, { password: null });
  await addMembership(container, { userId: operator.id, role: 'IAM_OWNER', editor: testEditor });
  const inactive = await makePerson(container, home.organization, { password: null, active: false });
  const before = hook.asked.length;
  for (const { userName } of [operator, inactive]) {
    confirming({ userName });
    t.equal((await signIn(home.orgId, userName)).status, 400);
  }
  t.equal(hook.asked.length, before);
});

t.test('an organization gets only passwords that are meant for it', async (t) => {
  const home = await makeHooked();
  const before = hook.asked.length;
  confirming({ userName: 'x' });
  await signIn('', uniqueName('nobody'));
  await signIn(home.organization.name, uniqueName('nobody'));
  t.equal(hook.asked.length, before, 'a name of an organization proves nothing');
  const userName = uniqueName('domain');
  confirming({ userName });
  t.equal((await signIn('', `${userName}@${home.orgId}`)).status, 303);
  const [quick, elsewhere] = [await makeHooked(hasty), await makeHooked(hasty)];
  const person = await makePerson(container, elsewhere.organization, { password: null });
  const asked = hook.asked.length;
  t.equal((await signIn(quick.orgId, `${person.userName}@${elsewhere.orgId}`)).status, 400);
  t.ok(hook.asked.slice(asked).every(({ body }) => JSON.parse(body).organizationId === quick.orgId));
});

t.test('two sign-ins at once take one person over', async (t) => {
  const home = await makeHooked();
  const userName = uniqueName('twice');
  confirming({ userName });
  const seen = await Promise.all([signIn(home.orgId, userName), signIn(home.orgId, userName)]);
  t.same(
    seen.map(({ status }) => status),
    [303, 303],
  );
  t.match(await container.users.count(home.orgId), 1);
});

t.test('a person is taken over whole or not at all', async (t) => {
  const home = await makeHooked();
  const { userName } = await makePerson(container, home.organization, { password: null });
  const { append } = container.events;
  for (const name of [uniqueName('torn'), userName]) {
    const before = await named(home.orgId, name);
    confirming({ userName: name, phoneNumber: '+49 30 7654321' });
    // Everything has been written, and the transaction is not committed.
    container.events.append = async (...written) => {
      await append(...written);
      throw new Error('The store broke in the middle');
    };
    const failed = await signIn(home.orgId, name).finally(() => {
      container.events.append = append;
    });
    t.equal(failed.status, 500);
    t.same(await named(home.orgId, name), before, 'neither a profile nor a password');
    if (before) t.same(await eventsOf(before.user.id), ['user.human.added'], 'nor an event');
    t.equal((await signIn(home.orgId, name)).status, 303, 'the next sign-in succeeds');
    t.match(await named(home.orgId, name), {
      user: { phoneNumbers: [{ value: '+49307654321' }] },
      password: { hash: /^\$argon2id/ },
    });
  }
});

t.test('the admin API: set, read without the secret, test, renew, remove', async (t) => {
  const home = await makeHooked();
  const { path, owner } = home;
  t.match(home.secret, /^[\w-]{43}$/);
  const read = await call(`GET ${path}`, { as: owner });
  t.same(Object.keys(read.body), ['url', 'timeoutMilliseconds', 'created']);
  t.match(read.body, { url: hook.url, timeoutMilliseconds: patient });
  const same = await call(`PUT ${path}`, { as: owner, body: { url: `${hook.url}?b` } });
  t.notOk(same.body.secret, 'the secret stays');
  const renewed = await call(`PUT ${path}`, { as: owner, body: { url: hook.url, renewSecret: true } });
  t.match(renewed.body.secret, /^[\w-]{43}$/);
  t.not(renewed.body.secret, home.secret);
  const userName = uniqueName('tested');
  confirming({ userName });
  const body = { loginName: userName, password: 'any' };
  t.same((await call(`POST ${path}/test`, { as: owner, body })).body, { outcome: 'confirmed', userName });
  t.equal(await named(home.orgId, userName), undefined, 'nothing is written');
  answering({ confirmed: true, user: { userName, groups: [] } });
  t.match((await call(`POST ${path}/test`, { as: owner, body })).body, {
    outcome: 'failed',
    reason: /may only have/,
  });
  for (const url of [
    'http://a.example/',
    'https://u:p@a.example/',
    'ftp://a.example',
    '/x',
    'https://a.example/#x',
  ])
    t.match(await call(`PUT ${path}`, { as: owner, body: { url } }), { status: 400 }, url);
  for (const as of [home.manager, home.viewer])
    t.equal((await call(`PUT ${path}`, { as, body: { url: hook.url } })).status, 403);
  t.equal((await call(`DELETE ${path}`, { as: owner })).status, 204);
  t.match(await call(`GET ${path}`, { as: owner }), {
    status: 404,
    body: { id: 'directory.migrationHookNotFound' },
  });
  const stored = JSON.stringify(await container.organizations.find(home.orgId));
  t.notMatch(stored, /sealedSecret/);
});

t.test('an application without a scope asks the hook only about names that nobody has', async (t) => {
  const home = await makeHooked();
  const client = await makeApplication(container, home.orgId);
  t.ok(client);
  const other = await makeTenant(container);
  const elsewhere = await container.organizations.find(other.orgId);
  if (elsewhere === undefined) throw new Error('The organization is missing');
  const person = await makePerson(container, elsewhere);
  const { findHookedOrganization } = await import(
    '#src/authentication/migration-hook/find-hooked-organization.js'
  );
  const found = await findHookedOrganization(container, {
    text: person.userName,
    preferredOrgId: home.orgId,
  });
  t.match(found, { isNamed: false, organization: { id: home.orgId } });
  if (found === undefined) return;
  const { takeOverPerson } = await import('#src/authentication/migration-hook/take-over-person.js');
  const before = hook.asked.length;
  const taken = await takeOverPerson(container, {
    ...found,
    account: undefined,
    loginName: person.userName,
    password: goodPassword,
    findAgain: async () => undefined,
  });
  t.equal(taken, undefined);
  t.equal(hook.asked.length, before);
});

t.test('a test says what the sign-in says', async (t) => {
  const { path, orgId, owner } = await makeHooked();
  const tried = async (loginName: string, answer: Record<string, unknown> = {}) => {
    confirming({ userName: loginName, ...answer });
    const body = { loginName, password: goodPassword };
    return (await call(`POST ${path}/test`, { as: owner, body })).body;
  };
  const refusals: [answer: Record<string, unknown>, reason: RegExp][] = [
    [{ email: 'no address' }, /emails/],
    [{ phoneNumber: 'x'.repeat(2_000) }, /phoneNumbers/],
    [{ timezone: 'Mars/Olympus' }, /timezone/],
    [{ givenName: 'A\u202eb' }, /invisible/],
  ];
  for (const [answer, reason] of refusals) {
    const userName = uniqueName('refused');
    t.match(await tried(userName, answer), { outcome: 'failed', reason }, JSON.stringify(answer));
    t.equal((await signIn(orgId, userName)).status, 400, 'the sign-in is refused too');
    t.equal(await named(orgId, userName), undefined);
  }
  const userName = uniqueName('fine');
  t.same(await tried(userName, { email: `${userName}@example.com` }), { outcome: 'confirmed', userName });
  t.equal(await named(orgId, userName), undefined, 'nothing is written');
});

t.test('a test knows the people who are there', async (t) => {
  const { path, orgId, owner, organization } = await makeHooked();
  const tried = async (loginName: string, user: Record<string, unknown>) => {
    confirming(user);
    return (await call(`POST ${path}/test`, { as: owner, body: { loginName, password: 'any' } })).body;
  };
  const here = await makePerson(container, organization, { password: goodPassword });
  const asked = hook.asked.length;
  t.match(await tried(here.userName, { userName: here.userName }), {
    outcome: 'failed',
    reason: /has a password here/,
  });
  t.equal(hook.asked.length, asked, 'the hook gets no password of somebody who needs none');
  const waiting = await makePerson(container, organization, { password: null });
  const known = { userName: waiting.userName };
  t.match(await tried(waiting.userName, { ...known, timezone: 'Mars' }), {
    outcome: 'failed',
    reason: /timezone/,
  });
  t.match(await tried(waiting.userName, known), { outcome: 'confirmed', ...known });
  t.match(
    JSON.parse(hook.asked.at(-1)?.body ?? ''),
    known,
    'the hook learns whom the name means, as at a sign-in',
  );
  t.equal((await named(orgId, waiting.userName))?.password, undefined, 'nothing is written');
  const address = `${uniqueName('other')}@example.com`;
  // The person types an address, and the hook answers with the name of somebody else.
  t.match(await tried(address, { userName: here.userName, email: address }), {
    outcome: 'failed',
    reason: /userName/,
  });
  t.equal((await signIn(orgId, address)).status, 400);
});
