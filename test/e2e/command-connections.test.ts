import { writeFileSync } from 'node:fs';
import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { startHostileProvider } from '../support/hostile/hostile-provider.js';
import { makeCertificate } from '../support/network/certificate.js';
import { openMuster } from '../support/processes/muster-command.js';
import { createHostileSamlProvider } from '../support/saml/hostile-saml-provider.js';

/** `muster connections`, against processes that run the compiled code, and a provider of its own. */

t.test('connections are administered by the command', { timeout: 280_000 }, async (t) => {
  const certificate = await makeCertificate(t);
  const stage = certificate && (await openStage(t));
  if (certificate === undefined || stage === undefined) return;
  const port = await freePort();
  const api = await stage.startApi({
    ...{ PORT: `${port}`, MUSTER_BASE_URL: `http://127.0.0.1:${port}` },
    ...{ MUSTER_PRIVATE_PROVIDER_HOSTS: '127.0.0.1', NODE_EXTRA_CA_CERTS: certificate.certFile },
  });
  const provider = await startHostileProvider(t, certificate, () => new Date());
  const muster = openMuster(t, { MUSTER_BASE_URL: api.address, MUSTER_TOKEN: stage.token });
  const connections = (...words: string[]) => muster.run('connections', ...words);
  const { orgId } = stage;
  const json = async (...words: string[]) => {
    const { code, out } = await connections(...words, '--json');
    return { code, body: JSON.parse(out) };
  };
  const fileOf = (name: string, text: string) => {
    writeFileSync(muster.at(name), text);
    return muster.at(name);
  };
  const secret = 'a-secret-of-the-command';
  stage.keepSecret(secret);

  t.match(await connections('list', orgId), { code: 0, out: '', err: /has no connection/ });
  const wrong = ['--name', 'Wrong', '--issuer', `${provider.issuer}/elsewhere`, '--client-id', 'muster'];
  const secretFile = fileOf('secret', `${secret}\n`);
  t.match(await connections('add', orgId, ...wrong, '--secret-file', secretFile), { code: 1, out: '' });
  t.match(await connections('add', orgId, '--file', fileOf('broken', '{')), { code: 1, err: /is no JSON/ });
  const given = ['--issuer', provider.issuer, '--client-id', 'muster', '--secret-file', secretFile, '--off'];
  const added = await connections('add', orgId, '--name', 'Acme', ...given);
  t.match(added, {
    code: 0,
    out: /^[0-9a-f-]{36}\n$/,
    err: /login\/connections\/[^/]+\/[0-9a-f-]{36}\/callback/,
  });
  const id = added.out.trim();
  t.match((await connections('list', orgId)).out, new RegExp(`${id}\\s+Acme\\s+${provider.issuer}\\s+off`));
  const shown = await connections('show', orgId, 'Acme');
  t.match(shown, { code: 0, out: /State: off/ });
  t.match(shown.out, 'No sign-in was refused.');

  t.test('test', async (t) => {
    t.match(await connections('test', orgId, 'Acme'), { code: 0, out: /can be used/ });
    const { ended, child } = muster.start('connections', 'test', orgId, 'Acme', '--sign-in');
    let said = '';
    child.stderr?.on('data', (chunk: string) => {
      said += chunk;
    });
    const address = await until(() => /https?:\/\/\S+connection-tests\/[0-9a-f-]{36}/.exec(said)?.[0]);
    const left = await fetch(address, { redirect: 'manual' });
    const cookie = left.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const claims = { sub: 'anna', given_name: 'Anna', shoe: '\u001b[31mred' };
    const back = provider.authorize(left.headers.get('location') ?? '', claims);
    t.equal((await fetch(back, { redirect: 'manual', headers: { cookie } })).status, 303);
    const tried = await ended;
    t.match(tried, { code: 1, out: /The sign-in would be refused/ });
    t.match(tried.out, /given_name\s+Anna\s+givenName/);
    t.notMatch(tried.out, '\u001b', 'no text of the provider controls the terminal');
  });

  t.test('preview', async (t) => {
    const preview = (...words: string[]) => connections('preview', orgId, 'Acme', ...words);
    t.match(await preview(), { code: 1, err: /404|nobody signed in/i }, 'nobody signed in yet');
    const claims = fileOf('claims.json', '{"sub":"new","nick":"\\u001b[31mAnn","groups":["a"]}');
    const refused = await preview('--claims', claims);
    t.match(refused, { code: 1, out: /The sign-in would be refused/ });
    const groups = [{ claim: 'groups', value: 'a', groupId: 'g-1' }];
    const mapping = { values: [{ to: 'title', from: ['nick'], lowerCase: true }], groups };
    const file = fileOf('mapping.json', JSON.stringify({ mapping }));
    const tried = await preview('--claims', claims, '--file', file);
    t.match(tried.out, /Joins the groups: g-1/);
    t.notMatch(tried.out, '\u001b', 'no text of the file controls the terminal');
    t.match(await preview('--claims', fileOf('list.json', '[]')), { code: 1, err: /no JSON object/ });
    await connections('change', orgId, 'Acme', '--file', fileOf('create.json', '{"creation":"create"}'));
    const named = fileOf('named.json', '{"sub":"new","given_name":"Ann"}');
    const made = await preview('--claims', named);
    t.match(made, { code: 0, out: /A new user would be added.*givenName\s+Ann/s });
    t.match(await json('preview', orgId, 'Acme', '--claims', named), {
      ...{ code: 0, body: { outcome: 'created', values: { givenName: 'Ann' } } },
    });
    await connections('change', orgId, 'Acme', '--file', fileOf('refuse.json', '{"creation":"refuse"}'));
  });

  t.test('export', async (t) => {
    const settings = {
      creation: 'create',
      mapping: { when: 'always', values: [{ to: 'title', from: ['job'] }] },
    };
    await connections('change', orgId, 'Acme', '--file', fileOf('more.json', JSON.stringify(settings)));
    const exported = await connections('export', orgId, 'Acme');
    t.match(exported, { code: 0, err: /Not in it: the secret/ });
    t.notMatch(exported.out, orgId);
    t.notMatch(exported.out, id);
    const file = fileOf('exported.json', exported.out);
    const copied = await connections(
      'add',
      orgId,
      '--file',
      file,
      '--name',
      'Copy',
      '--secret-file',
      secretFile,
    );
    t.match(copied, { code: 0 });
    const again = JSON.parse((await connections('export', orgId, 'Copy')).out);
    t.same({ ...again, name: 'Acme' }, JSON.parse(exported.out), 'the copy is the same');
    t.match(again, { enabled: false, ...settings });
    await connections('remove', orgId, 'Copy');
    await connections('change', orgId, 'Acme', '--file', fileOf('less.json', '{"creation":"refuse"}'));
  });

  t.test('change and remove', async (t) => {
    t.match(await connections('change', orgId, id), { code: 1, err: /Nothing is to be changed/ });
    t.match(await connections('change', orgId, id, '--on', '--off'), { code: 1, err: /exclude each other/ });
    t.match(await connections('change', orgId, 'Acme', '--on', '--name', 'Company'), {
      code: 0,
      out: /It is on/,
    });
    t.match(await json('show', orgId, 'Company'), { code: 0, body: { id, enabled: true, name: 'Company' } });
    t.match(await connections('show', orgId, 'Acme'), { code: 1, err: /has no connection Acme/ });
    const empty = await connections('link-metadata', orgId, id, '--provider', 'google', '--dry-run');
    t.match(empty, { code: 0, err: /No identity of google waits/ });
    t.match(await json('remove', orgId, 'Company'), {
      code: 0,
      body: { id, name: 'Company', removed: true },
    });
    t.match(await connections('remove', orgId, id), { code: 1, err: /has no connection/ });
    t.match(await connections('list', 'nobody'), { code: 1, err: /404|403/ });
  });

  t.test('SAML', async (t) => {
    const saml = createHostileSamlProvider(() => new Date());
    const settings = { name: 'Saml', protocol: 'saml', provider: { metadata: saml.metadata() } };
    const file = fileOf('saml.json', JSON.stringify(settings));
    const made = await connections('add', orgId, '--file', file);
    t.match(made, {
      code: 0,
      err: /entity ID http\S+\/saml\/metadata, and the ACS address http\S+\/saml\/acs/,
    });
    t.match((await connections('show', orgId, 'Saml')).out, 'Entity ID for the provider: http');
    t.match(await connections('test', orgId, 'Saml'), { code: 0, out: /can be used/ });
    const moved = fileOf('moved.json', (await connections('export', orgId, 'Saml')).out);
    t.match(await connections('add', orgId, '--file', moved), { code: 0 }, 'an exported one comes in');
    t.match(await connections('show', orgId, 'Saml'), { code: 1, err: /2 connections have the name Saml/ });
  });

  t.notMatch(JSON.stringify([added, shown, await json('list', orgId)]), secret);
});
