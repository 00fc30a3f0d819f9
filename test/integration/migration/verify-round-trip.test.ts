import t from 'tap';
import { humanUser } from '../../support/migration/imports.js';
import { openMove } from '../../support/migration/move.js';

const { gcs, openInstance, source, wanted } = await openMove(t);

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
    groupGrants: ({ groupGrants }) => groupGrants[0].roleKeys.pop(),
    projectMembers: ({ projectMembers }) => {
      projectMembers[0].roles = ['PROJECT_OWNER_VIEWER'];
    },
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
    identityLinks: ({ identityLinks }) => {
      identityLinks[0].links[0].name = 'another';
    },
    connections: ({ connections }) => {
      connections[0].connection.name = 'Another';
    },
    userGrants: ({ userGrants }) => userGrants.pop(),
  };
  t.same(
    Object.keys(first).filter(
      (list) => Array.isArray(first[list]) && first[list].length > 0 && !(list in changes),
    ),
    ['applicationGrants'],
    'every list has a change. The grants are changed below',
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

t.test('a verification tells whether somebody chose the language, and an update takes it over', async (t) => {
  const target = await openInstance();
  const bodyOf = (preferredLanguageGiven?: boolean, more: object = {}) => {
    const profile = { firstName: 'Ada', lastName: 'Lind', preferredLanguage: 'en', ...more };
    const records = [humanUser('ada', { profile, scim: { preferredLanguageGiven } }), humanUser('without')];
    const orgs = [{ orgId: 'tongues', org: { name: 'Tongues' }, humanUsers: records }];
    return { timeout: '5m', data_orgsv1: { orgs } };
  };
  await target.post('import', bodyOf());
  t.match(await target.post('verify', bodyOf()), { isSame: true });
  t.match(await target.post('verify', bodyOf(false)), { isSame: true });
  for (const isGiven of [true, false]) {
    const body = bodyOf(isGiven);
    const { jobId, ...before } = await target.post('verify', body);
    t.match(before, { isSame: false, counts: { same: 2, different: 1 } });
    t.not(before.sourceDigest, before.targetDigest);
    const [line] = await target.lines(`/admin/v1/jobs/${jobId}/differences`);
    t.match(line, { kind: 'different', id: 'id-ada', message: / differs in preferredLanguageGiven$/ });
    const refused = await target.post('import', body);
    t.match(refused.summary, { skipped: 2, failed: 1 }, 'an import says what a verification says');
    t.match(refused.errors, [{ message: /^OTHER-CONTENT: .* differs in preferredLanguageGiven$/ }]);
    t.match(await target.post('import', { ...body, update: true }), { summary: { updated: 1, skipped: 2 } });
    t.match(await target.post('verify', body), { isSame: true });
    t.match(await target.post('import', { ...body, update: true }), { summary: { updated: 0, skipped: 3 } });
    const again = await target.post('import', { ...bodyOf(), update: true });
    t.match(again.summary, { updated: 0, skipped: 3 }, 'a record that does not say it keeps it');
    t.match(await target.post('import', bodyOf()), { summary: { skipped: 3, failed: 0 } });
    t.match(await target.post('verify', bodyOf()), { isSame: true });
    t.match(await target.post('verify', body), { isSame: true });
    const nickName = `chose ${isGiven}`;
    const other = await target.post('import', { ...bodyOf(undefined, { nickName }), update: true });
    t.match(other.summary, { updated: 1 });
    t.match(
      await target.post('verify', bodyOf(isGiven, { nickName })),
      { isSame: true },
      'another change too',
    );
    await target.post('import', { ...bodyOf(undefined, { nickName: null }), update: true });
  }
  const silent = bodyOf();
  for (const { user } of silent.data_orgsv1.orgs[0]?.humanUsers ?? []) {
    user.profile = { firstName: user.profile.firstName, lastName: user.profile.lastName };
  }
  await target.post('import', { ...bodyOf(true), update: true });
  const { summary } = await target.post('import', { ...silent, update: true });
  t.match(summary, { updated: 0, skipped: 3 }, 'a record without the language changes nothing of it');
});

t.test('a date that is later at the source alone is no difference, after an update either', async (t) => {
  const target = await openInstance();
  const bodyOf = (year: number, preferredLanguageGiven = true) => {
    const dates = { created: '2019-01-01T00:00:00Z', lastModified: `${year}-01-01T00:00:00Z` };
    const profile = { firstName: 'Ada', preferredLanguage: 'en' };
    const orgs = [
      {
        orgId: 'dated',
        org: { name: 'Dated', ...dates },
        humanUsers: [humanUser('dated', { profile, scim: { preferredLanguageGiven }, ...dates })],
        groups: [{ groupId: 'dated-group', group: { displayName: 'Dated', ...dates } }],
      },
    ];
    return { timeout: '5m', data_orgsv1: { orgs } };
  };
  await target.post('import', bodyOf(2020));
  for (const [body, updated] of [
    [bodyOf(2021), 0],
    [bodyOf(2022, false), 1],
  ] as const) {
    t.match((await target.post('import', { ...body, update: true })).summary, { updated, failed: 0 });
    const { sourceDigest, targetDigest, ...told } = await target.post('verify', body);
    t.match(told, { isSame: true, counts: { same: 3, different: 0 } });
    t.equal(sourceDigest, targetDigest);
  }
  t.match(await target.post('verify', bodyOf(2019, false)), { counts: { same: 0, different: 3 } }, 'earlier');
});
