import { SignJWT } from 'jose';
import t from 'tap';
import { addApplicationGrant } from '#src/directory/application-grants/change-application-grants.js';
import { newId } from '#src/platform/ids.js';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { startStorageServer } from '../../../dev/storage/storage-server.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { postForm } from '../../support/app/oauth-client.js';
import { goodPassword } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

const storage = await startStorageServer(t, ['moves']);
const gcs = { bucket: 'moves', path: 'instance.json', serviceaccount_json: encodeServiceAccount() };

/** An instance with its own organization. Its owner sends the requests. */
async function openInstance() {
  const { container, app, call } = await buildTestApp(t, {
    workers: true,
    storageEmulatorHost: storage.endpoint,
  });
  const { id } = await makeOrganization(container);
  const as = await makeCaller(container, id, ['IAM_OWNER']);
  const post = async (path: string, body: unknown) => {
    const answer = await call(`POST /admin/v1/${path}`, { as, body });
    if (answer.status !== 200) throw new Error(`${path} answers ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const lines = async (path: string): Promise<Record<string, unknown>[]> => {
    const headers = { authorization: `Bearer ${as.token}` };
    const { body } = await app.inject({ method: 'GET', url: path, headers });
    return body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  };
  return { container, call, post, lines };
}

const source = await openInstance();
const moved = [await makeFullOrganization(source.container), await makeFullOrganization(source.container)];
const [granting, granted] = moved;
await addApplicationGrant(source.container, {
  orgId: granting?.orgId ?? '',
  clientId: granted?.web.id ?? '',
  editor: testEditor,
});
const wanted = { org_ids: moved.map(({ orgId }) => orgId), with_passwords: true, with_otp: true };

t.test('an export that is imported elsewhere and exported again is the same', async (t) => {
  const target = await openInstance();
  const exported = await source.post('export', { ...wanted, response_output: true, gcs_output: gcs });
  const imported = await target.post('import', { timeout: '5m', data_orgsv1_gcs: gcs });
  t.equal(imported.errors, undefined, JSON.stringify(imported.errors));
  const { total } = imported.summary;
  t.same(imported.summary, { created: total, skipped: 0, failed: 0, total });

  await target.post('export', { ...wanted, gcs_output: { ...gcs, path: 'again.json' } });
  const [before, after] = ['instance.json', 'again.json'].map((path) => storage.objects.get(`moves/${path}`));
  t.equal(String(after?.content), String(before?.content));
  t.same(JSON.parse(String(before?.content)), exported);

  const [first] = moved;
  const person = first?.people.full;
  const account = await target.container.accounts.find(first?.orgId ?? '', person?.id ?? '');
  const hash = account?.password?.hash ?? '';
  t.ok(
    await target.container.passwords.verify(hash, goodPassword, { purpose: 'other', orgId: undefined }),
    'the password is still the password',
  );
  const kept = await source.container.accounts.find(first?.orgId ?? '', person?.id ?? '');
  t.equal(account?.totp?.recovery?.length, 10);
  t.same(account?.totp?.recovery, kept?.totp?.recovery, 'and the recovery codes still work');

  const { api, apiKey, machine, trust } = first as NonNullable<typeof first>;
  const { baseUrl } = target.container.config;
  const assertion = await new SignJWT({ jti: newId() })
    .setProtectedHeader({ alg: 'ES256', kid: apiKey.kid ?? '' })
    .setIssuer(api.id)
    .setSubject(api.id)
    .setAudience(baseUrl)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(apiKey);
  const introspected = await postForm(target.call, '/oauth/v2/introspect', {
    form: {
      token: 'none',
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    },
  });
  t.match(
    introspected,
    { status: 200, body: { active: false } },
    'the key of the API still authenticates it',
  );
  const { id: _id, ...expected } = trust;
  t.match((await target.container.serviceUsers.find(first?.orgId ?? '', machine.id))?.federatedCredentials, [
    expected,
  ]);

  const again = await target.post('import', { timeout: '5m', data_orgsv1: exported });
  t.same(again.summary, { created: 0, skipped: total, failed: 0, total });
});

t.test('without hashes people come without passwords, and nothing else is lost', async (t) => {
  const target = await openInstance();
  const bare = { ...wanted, with_passwords: false, with_otp: false, response_output: true };
  const without = await source.post('export', bare);
  const imported = await target.post('import', { timeout: '5m', data_orgsv1: without });
  t.equal(imported.errors, undefined, JSON.stringify(imported.errors));
  t.same(await target.post('export', { ...wanted, response_output: true }), without);
});

t.test('a verification has the same digests on both sides exactly if all is the same', async (t) => {
  const target = await openInstance();
  const exported = await source.post('export', { ...wanted, response_output: true });
  const absent = await target.post('verify', { timeout: '5m', data_orgsv1: exported });
  t.equal(absent.isSame, false);
  t.equal(absent.counts.missing, absent.counts.total, 'nothing is there');
  await target.post('import', { timeout: '5m', data_orgsv1: exported });

  const verify = async (data: unknown, more: object = {}) =>
    target.post('verify', { timeout: '5m', data_orgsv1: data, ...more });
  await source.post('export', { ...wanted, gcs_output: gcs });
  const same = await target.post('verify', { timeout: '5m', data_orgsv1_gcs: gcs });
  t.match(same, { isSame: true, counts: { missing: 0, different: 0, refused: 0, extra: 0 } });
  t.equal(same.counts.same, same.counts.total);
  t.equal(same.sourceDigest, same.targetDigest);
  t.match(same.sourceDigest, /^[0-9a-f]{64}$/);
  t.equal(same.sourceDigest, absent.sourceDigest, 'the digest of the file does not depend on the service');
  t.equal(
    (await source.post('verify', { timeout: '5m', data_orgsv1: exported })).targetDigest,
    same.targetDigest,
  );

  const turned = structuredClone(exported);
  turned.orgs.reverse();
  for (const org of turned.orgs) {
    for (const list of Object.values(org)) if (Array.isArray(list)) list.reverse();
  }
  t.equal((await verify(turned)).sourceDigest, same.sourceDigest, 'nor on the order of the file');

  const digestsOf = ({ lists }: typeof same, side: string) =>
    Object.fromEntries(lists.map((one: Record<string, unknown>) => [one['list'], one[side]]));
  const [first] = exported.orgs;
  const changes: Record<string, (org: typeof first) => void> = {
    org: ({ org }) => {
      org.login.selfRegistration = !org.login.selfRegistration;
    },
    domains: ({ domains }) => {
      domains[0].isVerified = !domains[0].isVerified;
    },
    groups: ({ groups }) => {
      groups[0].group.lastModified = groups[0].group.created = '2001-02-03T04:05:06.789Z';
    },
    groupMembers: ({ groupMembers }) => groupMembers.pop(),
    projects: ({ projects }) => {
      projects[0].project.name = 'Another';
    },
    projectRoles: ({ projectRoles }) => {
      projectRoles[0].displayName = 'Another';
    },
    oidcApps: ({ oidcApps }) => {
      oidcApps[0].app.name = 'Another';
    },
    apiApps: ({ apiApps }) => {
      apiApps[0].app.name = 'Another';
    },
    humanUsers: ({ humanUsers }) => {
      humanUsers[0].user.created = '2001-02-03T04:05:06.789Z';
    },
    machineUsers: ({ machineUsers }) => {
      machineUsers[0].user.lastModified = machineUsers[0].user.created = '2001-02-03T04:05:06.789Z';
    },
    userMetadata: ({ userMetadata }) => {
      userMetadata[0].value = Buffer.from('another').toString('base64');
    },
    orgMembers: ({ orgMembers }) => {
      orgMembers[0].roles = orgMembers[0].roles.includes('ORG_USER_VIEWER')
        ? ['ORG_OWNER']
        : ['ORG_USER_VIEWER'];
    },
    userGrants: ({ userGrants }) => userGrants.pop(),
  };
  t.same(
    Object.keys(first).filter(
      (list) => Array.isArray(first[list]) && first[list].length > 0 && !(list in changes),
    ),
    ['groupGrants', 'projectMembers', 'applicationGrants'],
    'every other list has a change',
  );
  const lines = async (jobId: string) => {
    const found = await target.lines(`/admin/v1/jobs/${jobId}/differences`);
    return found.filter(({ list }) => list !== 'org');
  };
  const names = Object.keys(changes).sort();
  const before = digestsOf(same, 'sourceDigest');
  for (const changed of [names.slice(0, 6), names.slice(6)]) {
    const other = structuredClone(exported);
    for (const list of changed) changes[list]?.(other.orgs[0]);
    const found = await verify(other);
    const [sources, targets] = [digestsOf(found, 'sourceDigest'), digestsOf(found, 'targetDigest')];
    t.same(
      Object.keys(sources).filter((list) => sources[list] !== targets[list]),
      changed,
      'the lists that changed, and no other',
    );
    t.same(
      Object.keys(sources).filter((list) => sources[list] !== before[list]),
      changed,
    );
    for (const { list, missing, different, extra, refused } of found.lists) {
      t.equal(missing + different + extra + refused, changed.includes(list) ? 1 : 0, list);
    }
  }

  const keyed = structuredClone(exported);
  keyed.orgs[0].apiApps[0].app.clientKeys[0].kid = 'another';
  keyed.orgs[0].machineUsers[0].user.federatedCredentials[0].subject = 'another';
  keyed.orgs[0].applicationGrants[0].clientId = 'another';
  const rekeyed = await verify(keyed);
  t.match(rekeyed.counts, { different: 2, refused: 1, extra: 1, missing: 0 });
  t.same(
    (await lines(rekeyed.jobId)).map(({ type, message }) => [
      type,
      /differs in (.*)$/.exec(String(message))?.[1],
    ]),
    [
      ['api_app', 'clientKeys'],
      ['machine_user', 'federatedCredentials'],
      ['application_grant', undefined],
    ],
  );

  const person = structuredClone(exported);
  const [removed] = person.orgs[0].humanUsers.splice(0, 1);
  person.orgs[0].humanUsers[0].user.profile.nickName = 'secret-word';
  const quiet = await verify(person);
  t.match(quiet.counts, { different: 1, extra: 1 });
  t.same(
    (await lines(quiet.jobId)).map(({ kind }) => kind),
    ['different'],
    'what the file does not have is listed only on request',
  );
  const told = await verify(person, { listExtra: true });
  t.equal(told.targetDigest === quiet.targetDigest, true);
  const differences = await lines(told.jobId);
  t.match(
    differences.find(({ kind }) => kind === 'extra'),
    { orgId: first.orgId, list: 'humanUsers', id: removed.userId },
  );
  t.match(differences[0], { kind: 'different', message: /^OTHER-CONTENT: .* nickName$/ });
  t.notMatch(JSON.stringify(differences), 'secret-word');
});
