import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { openStage } from '../../dev/stage/stage.js';
import { serviceAccountFile } from '../../dev/storage/service-account.js';
import { startStorageServer } from '../../dev/storage/storage-server.js';
import { startMailServer } from '../support/network/mail-server.js';
import { openMuster } from '../support/processes/muster-command.js';

t.test('people are administered by the command', { timeout: 280_000 }, async (t) => {
  const stage = await openStage(t, { settings: { MUSTER_LOGIN_MAX_FAILURES: '3' } });
  if (stage === undefined) return;
  const port = await freePort();
  const api = await stage.startApi({ PORT: `${port}`, MUSTER_BASE_URL: `http://127.0.0.1:${port}` });
  const muster = openMuster(t, { MUSTER_BASE_URL: api.address, MUSTER_TOKEN: stage.token });
  const json = async (...words: string[]) => {
    const { code, out } = await muster.run(...words, '--json');
    return { code, body: JSON.parse(out) };
  };

  const addUser = async (orgId: string, userName: string, more: object = {}) => {
    const { status, body } = await api.call(`POST /scim/v2/${orgId}/Users`, {
      json: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName,
        name: { givenName: 'Anna', familyName: 'Lind' },
        emails: [{ value: `${userName}@people.example`, primary: true }],
        password: 'Correct-Horse-7',
        ...more,
      },
    });
    t.equal(status, 201, userName);
    return String(body.id);
  };

  /** Sends a wrong password at the login page. */
  const failToSignIn = async (loginName: string) => {
    const page = await fetch(`${api.address}/login`);
    const text = await page.text();
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const cookie = (page.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const fields = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), loginName };
    const answer = await fetch(`${api.address}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({ ...fields, password: 'Wrong-Horse-9' }),
    });
    t.match(answer.headers.get('location'), 'refused=');
  };

  t.test('orgs create', async (t) => {
    const { code, out } = await muster.run(
      'orgs',
      'create',
      'Second',
      '--id',
      'second',
      '--domain',
      'second.example',
    );
    t.match({ code, out }, { code: 0, out: 'second\n' });
    t.match((await api.call('GET /admin/v1/orgs/second')).body, {
      name: 'Second',
      domains: ['second.example'],
    });
    t.match(await muster.run('orgs', 'create', 'Second', '--id', 'second'), {
      code: 1,
      out: '',
      err: /orgs: 409 /,
    });
    t.match(await json('orgs', 'create', 'Third'), { code: 0, body: { id: String, name: 'Third' } });
  });

  t.test('orgs pepper', async (t) => {
    const file = join(mkdtempSync(join(tmpdir(), 'muster-pepper-')), 'pepper');
    writeFileSync(file, 'Peppercorn-of-the-command\n');
    const pepper = (...words: string[]) => muster.run('orgs', 'pepper', stage.orgId, ...words);
    t.match(await pepper(), { code: 1, out: '', err: /password-pepper: 404/ });
    const set = await pepper('--file', file);
    t.match(set, { code: 0, out: /^The pepper was set at \d{4}-/ });
    t.match(await pepper(), { code: 0, out: set.out });
    t.match(await json('orgs', 'pepper', stage.orgId), { code: 0, body: { created: String } });
    t.match(await pepper('--file', file, '--remove'), { code: 1, err: /exclude each other/ });
    t.match(await pepper('--file', `${file}-missing`), { code: 1, err: /cannot be read/ });
    t.match(await pepper('--remove'), { code: 0, out: '', err: /The pepper was removed/ });
    t.match(await pepper('--remove'), { code: 1, err: /password-pepper: 404/ });
    t.notMatch(JSON.stringify([set, await pepper()]), 'Peppercorn');
  });

  t.test('sign-in-policy', async (t) => {
    const file = join(mkdtempSync(join(tmpdir(), 'muster-policy-')), 'policy.json');
    const policy = (name: string, ...words: string[]) =>
      muster.run('sign-in-policy', name, 'second', ...words);
    const write = (value: unknown) =>
      writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    t.match(await policy('show'), { code: 0, out: 'The organization has no policy of its own.\n' });
    write({ demands: [{ of: 'everybody', acr: '2', from: '2090-01-01' }], sessionSeconds: 3600 });
    const tried = await policy('try', '--file', file);
    t.match(tried, { code: 0, out: /^Nothing was changed\.\n\d+ people meet the policy\.\n/ });
    t.match(await json('sign-in-policy', 'try', 'second', '--file', file), {
      code: 0,
      body: { people: { lockedOut: Number }, administrators: [] },
    });
    t.match(await policy('show'), { out: /no policy/ }, 'a trial saves nothing');
    t.match(
      await muster.run('sign-in-policy', 'set', stage.orgId, '--file', file),
      { code: 1, out: '', err: /Nothing was changed.*names the owners/ },
      'the owner of the instance there has no second factor',
    );
    t.match(await policy('set', '--file', file), {
      code: 0,
      out: 'demand from 2090-01-01: two factors, of everybody\nlongest session, in seconds: 3600\n',
      err: /The policy was saved/,
    });
    const shown = await json('sign-in-policy', 'show', 'second');
    t.match(shown, { code: 0, body: { sessionSeconds: 3600, version: Number } });
    write({ ...shown.body, version: shown.body.version - 1 });
    t.match(await policy('set', '--file', file), { code: 1, out: '', err: /sign-in-policy: 412/ });
    write(shown.body);
    t.match(await policy('try', '--file', file), { code: 0 }, 'what show prints can be tried');
    write({ sessionSeconds: 1 });
    t.match(await policy('try', '--file', file), { code: 1, err: /trial: 400/ });
    write('[]');
    t.match(await policy('set', '--file', file), { code: 1, err: /has no JSON object/ });
    t.match(await policy('set', '--file', `${file}-missing`), { code: 1, err: /cannot be read/ });
    t.match(await policy('set'), { code: 2, err: /--file/ });
    write({});
    t.match(await policy('set', '--file', file), { code: 0, out: /no policy/ });
  });

  t.test('users find', async (t) => {
    const id = await addUser(stage.orgId, 'finda');
    await addUser('second', 'findb');
    const found = await muster.run('users', 'find', 'FIND');
    t.equal(found.code, 0, found.err);
    t.match(found.out, /^id +login name +name +e-mail address +state +organization\n/);
    t.match(found.out, new RegExp(`${id} +finda +Anna Lind +finda@people.example +active +${stage.orgId}\n`));
    const body = (await json('users', 'find', 'find', '--org', 'second')).body;
    t.match(body, { hasMore: false, users: [{ userName: 'findb', orgId: 'second', active: true }] });
    t.equal(body.users.length, 1);
    t.match(await json('users', 'find', 'find', '--limit', '1'), { body: { hasMore: true, users: [{}] } });
    t.match(await json('users', 'find', id), { body: { users: [{ id }] } }, 'by the identifier');
    t.match(await json('users', 'find', 'nobody"here'), { code: 1, body: { users: [] } });
    t.match(await muster.run('users', 'find', 'x', '--limit', '0'), { code: 1, err: /--limit is a number/ });
    t.match(await muster.run('users', 'find', 'x', '--org', 'none'), {
      code: 1,
      err: /does not exist, was removed/,
    });
  });

  t.test('users disable and enable', async (t) => {
    const id = await addUser(stage.orgId, 'off');
    t.match(await muster.run('users', 'disable', 'off'), {
      code: 0,
      out: `off (Anna Lind), user ${id}, is inactive.\n`,
    });
    t.match(await json('users', 'disable', 'off@people.example'), {
      code: 0,
      body: { id, active: false, changed: false },
    });
    t.equal((await api.call(`GET /scim/v2/${stage.orgId}/Users/${id}`)).body.active, false);
    const kept = await muster.run('users', 'why', 'off');
    t.equal(kept.code, 1);
    t.match(kept.out, `The user is inactive.\n    Remedy: muster users enable ${id} --org ${stage.orgId}\n`);
    const [, remedy = ''] = /Remedy: muster (.*)/.exec(kept.out) ?? [];
    t.match(await muster.run(...remedy.split(' ')), { code: 0, out: /is active\.\n/ }, 'the remedy works');
    t.equal((await api.call(`GET /scim/v2/${stage.orgId}/Users/${id}`)).body.active, true);
    t.match(await muster.run('users', 'disable', 'no-one'), { code: 1, err: /^Nobody has the name/ });
  });

  t.test('users why: nothing is amiss', async (t) => {
    const id = await addUser('second', 'fine');
    const { code, body } = await json('users', 'why', 'fine@second.example');
    t.equal(code, 0);
    t.match(body, {
      canSignIn: true,
      people: [{ id, isMeant: true, obstacles: [], loginNames: ['fine@second.example', 'fine@second'] }],
    });
    t.match((await muster.run('users', 'why', 'fine')).out, 'Nothing keeps this person from signing in.');
    t.match(await json('users', 'why', 'fine@second.example', '--org', 'second'), {
      code: 0,
      body: { people: [{ id }] },
    });
    const byId = await json('users', 'why', id);
    t.match(byId, { code: 0, body: { canSignIn: true, people: [{ id }] } });
    t.notOk('isMeant' in byId.body.people[0], 'an identifier is no login name');
  });

  t.test('users why: unknown, without a password, locked, and shared names', async (t) => {
    t.match(await json('users', 'why', 'nobody'), { code: 1, body: { problem: 'unknownName', people: [] } });

    await addUser(stage.orgId, 'pwless', { password: undefined });
    t.match((await muster.run('users', 'why', 'pwless')).out, /no password\.\n.*one-time-links/);

    const id = await addUser(stage.orgId, 'locked');
    for (let i = 0; i < 3; i++) await failToSignIn('locked');
    const { code, out } = await muster.run('users', 'why', 'locked');
    t.equal(code, 1);
    t.match(
      out,
      /The account is locked until \S+Z, after 3 refused attempts\. New browsers are refused the right password/,
    );
    t.match(out, /The login name locked is locked until/);
    t.match(
      out,
      /Refused sign-ins:\n {4}\S+Z {2}this refusal began a lock\n {4}\S+Z {2}wrong password, from 127\.0\.0\.1, browser node/,
    );
    t.match(await json('users', 'unlock', 'locked'), { code: 0, body: { id, unlocked: true } });
    t.match(await json('users', 'why', 'locked'), {
      code: 0,
      body: { people: [{ refused: { length: 4 } }] },
    });

    const first = await addUser(stage.orgId, 'shared');
    const second = await addUser('second', 'shared', { emails: [] });
    const shared = (await json('users', 'why', 'shared')).body;
    t.match(shared.people, [
      { id: first, isMeant: true },
      {
        id: second,
        isMeant: false,
        explanations: [{ reason: /shared does not mean this person/, remedy: /shared@second\.example/ }],
      },
    ]);
    t.equal(shared.canSignIn, false);
    t.match(
      (await muster.run('users', 'disable', 'shared')).err,
      /2 users have this name\. Give the identifier of one:/,
    );
    t.equal((await muster.run('users', 'disable', 'shared', '--org', 'second')).code, 0);
  });

  t.test('users why: an organization that has ended', async (t) => {
    await muster.run('orgs', 'create', 'Ended', '--id', 'ended');
    const id = await addUser('ended', 'of-ended');
    t.equal((await api.call('DELETE /admin/v1/orgs/ended?name=Ended')).status, 202);
    t.match(await json('users', 'why', 'of-ended'), {
      code: 1,
      body: { problem: 'organizationEnded', people: [{ id, organizationEnded: true }] },
    });
    t.match(
      (await muster.run('users', 'why', 'of-ended')).out,
      /is being removed\. Nobody of it can sign in/,
    );
  });

  t.test('tokens create, and what a token of one organization reaches', async (t) => {
    const made = await muster.run('tokens', 'create', 'helpdesk', '--org', 'second', '--output', 'token');
    t.match(made, { code: 1, err: /There is no service user helpdesk\. With --role/ });
    t.notOk(existsSync(muster.at('token')));
    const words = ['tokens', 'create', 'helpdesk', '--org', 'second', '--days', '7'];
    const { code, out, err } = await muster.run(...words, '--role', 'ORG_USER_MANAGER', '--output', 'token');
    t.match({ code, out }, { code: 0, out: '' }, err);
    t.match(err, /^Token \S+ of helpdesk expires \S+Z\.\n$/);
    t.equal(statSync(muster.at('token')).mode & 0o777, 0o600);
    const token = readFileSync(muster.at('token'), 'utf8').trim();
    stage.keepSecret(token);
    const again = await json(...words, '--role', 'ORG_USER_MANAGER');
    t.match(again, { code: 0, body: { serviceUser: { userName: 'helpdesk' }, token: String } });
    stage.keepSecret(again.body.token);
    t.ok(Date.parse(again.body.expires) - Date.now() < 7 * 24 * 3_600_000);
    t.match(await muster.run('tokens', 'create', 'helpdesk', '--org', 'second', '--days', '400'), {
      code: 1,
      err: /--days/,
    });

    const desk = (...more: string[]) => muster.run('users', 'why', ...more, '--token-file', 'token');
    t.match(await desk('fine'), { code: 1, err: /Name the organization with --org/ });
    t.match(await desk('fine', '--org', 'second'), { code: 0, out: /Nothing keeps this person/ });
    t.match(await desk('locked', '--org', stage.orgId), { code: 1, err: /out of reach of the token/ });
  });

  t.test('doctor', async (t) => {
    const mail = await startMailServer(t);
    const storage = await startStorageServer(t, ['doctor-bucket']);
    const settings = {
      MONGODB_URL: stage.mongodb.url,
      MONGODB_DATABASE: stage.mongodb.database,
      REDIS_URL: stage.redisUrl,
      REDIS_PREFIX: stage.redis.prefix,
      MUSTER_MASTER_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64url')}`,
      MUSTER_BASE_URL: api.address,
      MUSTER_SMTP_URL: mail.url,
      MUSTER_MAIL_FROM: 'Muster <id@people.example>',
      STORAGE_EMULATOR_HOST: storage.endpoint,
    };
    const doctor = async (more: Record<string, string> = {}, ...words: string[]) => {
      const command = openMuster(t, { ...settings, ...more });
      writeFileSync(command.at('account.json'), JSON.stringify(serviceAccountFile));
      const { code, out } = await command.run('doctor', '--json', ...words);
      const { healthy, findings } = JSON.parse(out);
      const of = (check: string) =>
        findings.filter((one: { check: string }) => one.check === check) as {
          state: string;
          text: string;
          remedy?: string;
        }[];
      return { code, healthy, of, out };
    };
    const bucket = ['--bucket', 'doctor-bucket', '--service-account', 'account.json'];

    t.test('what is in order', async (t) => {
      const { code, healthy, of } = await doctor({}, ...bucket);
      t.match({ code, healthy }, { code: 0, healthy: true });
      for (const check of ['settings', 'mongodb', 'clock', 'mail', 'bucket', 'address'])
        t.ok(
          of(check).every(({ state }) => state === 'ok'),
          JSON.stringify(of(check)),
        );
      t.equal(of('redis')[0]?.state, 'ok');
      t.equal(of('clock').length, 2);
      t.same([...storage.objects.keys()], ['doctor-bucket/muster-doctor.txt']);
    });

    t.test('what is not, each with a remedy and without a secret', async (t) => {
      const { code, healthy, of, out } = await doctor(
        {
          REDIS_URL: 'redis://user:pass-word@127.0.0.1:9',
          MUSTER_SMTP_URL: 'smtp://user:pass-word@127.0.0.1:9',
          MUSTER_MASTER_KEYS: `k2:${Buffer.alloc(32, 8).toString('base64url')}`,
          MUSTER_BASE_URL: `http://localhost:${port}`,
          MUSTER_MAIL_FORM: 'x',
        },
        ...bucket.with(1, 'Not A Bucket'),
      );
      t.match({ code, healthy }, { code: 1, healthy: false });
      t.match(of('mongodb'), [
        { state: 'ok' },
        { state: 'failed', text: /None of MUSTER_MASTER_KEYS opens/, remedy: String },
      ]);
      for (const check of ['redis', 'mail', 'bucket'])
        t.match(of(check), [{ state: 'failed', remedy: String }], check);
      t.match(of('settings'), [
        { state: 'ok' },
        { state: 'warning', remedy: 'Did you mean MUSTER_MAIL_FROM?' },
      ]);
      t.match(of('address'), [{ state: 'failed', text: /calls itself http:\/\/127\.0\.0\.1/ }]);
      t.notMatch(out, /pass-word/);
    });

    t.test('settings that are wrong keep the other checks back', async (t) => {
      const { code, of } = await doctor({ PORT: 'x', REDIS_URL: '' });
      t.equal(code, 1);
      t.match(of('settings'), [{ state: 'failed' }, { state: 'failed' }]);
      t.same(of('mongodb'), []);
    });

    t.test('an empty database, and nothing configured that is optional', async (t) => {
      const { code, of } = await doctor({
        MONGODB_DATABASE: `${stage.mongodb.database}-empty`,
        MUSTER_SMTP_URL: '',
      });
      t.equal(code, 0);
      t.match(of('mongodb'), [{ state: 'ok' }, { state: 'warning', remedy: /muster init/ }]);
      t.match(of('mail'), [{ state: 'skipped' }]);
      t.match(of('bucket'), [{ state: 'skipped' }]);
    });
  });
});
