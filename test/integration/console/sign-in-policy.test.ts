import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { changeOrganization } from '#src/organizations/index.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { userEvent } from '#src/people/users/index.js';
import { newId } from '#src/platform/ids.js';
import { openConsole } from '../../support/app/console.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { giveTotp, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import type { Seen } from '../../support/oidc/visitor.js';

/** The page of an organization's sign-in policy: it tells the policy in words, tries one, and saves it. */

const opened = await buildTestApp(t, { workers: true });
const { container, clock } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const viewer = await makePerson(container, home);
await addMembership(container, {
  ...{ userId: viewer.id, role: 'ORG_USER_VIEWER', orgId: home.id, editor: testEditor },
});
// A change of a factor would end the sessions of the owner.
const keeper = await makePerson(container, home);
await addMembership(container, {
  ...{ userId: keeper.id, role: 'ORG_OWNER', orgId: home.id, editor: testEditor },
});
await giveTotp(container, keeper);
const group = await addGroup(container, {
  ...{ orgId: home.id, profile: { displayName: 'Sales & Co' }, members: new Set([viewer.id]) },
  editor: testEditor,
});
const web = await makeApplication(container, home.id, { name: 'Intranet' });
const path = `/console/orgs/${home.id}/settings/sign-in-policy`;
const stored = async () => (await container.organizations.find(home.id))?.signInPolicy ?? {};
const clear = () =>
  changeOrganization(container, { orgId: home.id, change: { signInPolicy: {} }, editor: testEditor });
/** The fields of a form of which nobody changed anything. */
const usual: [string, string][] = [
  ['firstFactors', 'password'],
  ['firstFactors', 'passkey'],
  ['firstFactors', 'connection'],
  ['secondFactors', 'totp'],
  ['secondFactors', 'passkey'],
];
const hidden = (page: Seen): [string, string][] =>
  ['csrf', 'version'].map((name) => [
    name,
    new RegExp(`<form[^>]*${path}"[^>]*>.*?name="${name}" value="([^"]*)"`, 's').exec(page.text)?.[1] ?? '',
  ]);
const send = async (fields: [string, string][], from?: Seen) =>
  owner.post(path, [...hidden(from ?? (await owner.get(path))), ...fields]);
const demand = (index: number, fields: Record<string, string>): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [`demand-${index}-${name}`, value]);
const ofRoles = demand(0, { of: 'roles', acr: '2', from: '2090-01-01' });

t.test('a policy is tried before it is saved, and told in words', async (t) => {
  const empty = await owner.get(path);
  t.equal(empty.status, 200);
  t.match(empty.text, 'The organization has no policy of its own.');
  const tried = await send([...usual, ...ofRoles, ['sessionSeconds', '90']], empty);
  t.equal(tried.status, 200);
  t.match(tried.text, 'This was a trial. Nothing was changed.');
  t.match(tried.text, /<strong>2<\/strong> must set up another factor/);
  t.match(tried.text, `/console/orgs/${home.id}/users/${viewer.id}">${viewer.userName}</a>`);
  t.match(tried.text, `/console/orgs/${home.id}/applications/${web.id}">Intranet</a>`);
  t.match(tried.text, 'value="90" id="f-sessionSeconds"', 'what was typed stays');
  t.match(tried.text, 'name="demand-1-of"', 'another demand can follow');
  t.same(await stored(), {}, 'a trial saves nothing');

  const saved = await send([...usual, ...ofRoles, ['sessionSeconds', '90'], ['act', 'save']], tried);
  t.match(saved, { status: 303, location: `${path}?done=saved` });
  t.same(await stored(), {
    demands: [{ of: 'roles', acr: '2', from: '2090-01-01' }],
    sessionSeconds: 5400,
  });
  const page = await owner.follow(saved);
  t.match(page.text, 'Saved.');
  t.match(page.text, 'from Jan 1, 2090: two factors, of people with a role');
  t.match(page.text, '90 minutes');
  const log = await owner.get(`/console/orgs/${home.id}/log`);
  t.match(log.text, 'Sign-in policy, Demands: none → from Jan 1, 2090: two factors, of people with a role');
  t.match(log.text, 'Sign-in policy, Longest session: none → 90 minutes');
  await clear();
});

t.test('the fields that a form shows save the same policy', async (t) => {
  const policy = {
    ...{ identifierFirst: true, firstFactors: ['password', 'passkey'] as const },
    ...{ firstFactorsFrom: '2090-02-01', secondFactors: ['passkey'] as const },
    demands: [{ of: 'groups', groups: [group.id], acr: 'phr', from: '2090-03-01' }] as const,
    ...{
      rememberedBrowserDays: 0,
      sessionSeconds: 330,
      refreshTokenIdleSeconds: 301,
      freshSignInSeconds: 61,
    },
  };
  await changeOrganization(container, {
    ...{ orgId: home.id, change: { signInPolicy: policy }, editor: testEditor },
  });
  const page = await owner.get(path);
  const value = (name: string) => new RegExp(` value="([^"]*)" id="f-${name}"`).exec(page.text)?.[1] ?? '';
  t.match(page.text, />Sales &amp; Co<\/textarea>/, 'a group has its name');
  t.match(page.text, 'the members of Sales &amp; Co');
  const fields: [string, string][] = [
    ['identifierFirst', 'on'],
    ...[...page.text.matchAll(/name="(firstFactors|secondFactors)" value="(\w+)" checked/g)].map(
      ([, name = '', factor = '']): [string, string] => [name, factor],
    ),
    ['firstFactorsFrom', value('firstFactorsFrom')],
    ...demand(0, { of: 'groups', acr: 'phr', from: value('demand-0-from'), groups: 'sales & co' }),
    ...['rememberedBrowserDays', 'sessionSeconds', 'refreshIdleSeconds', 'freshSignInSeconds'].map(
      (name): [string, string] => [name, value(name)],
    ),
  ];
  const saved = await send([...fields, ['act', 'save']], page);
  t.match(saved, { status: 303, location: `${path}?done=saved` });
  t.same(await stored(), policy);
  await clear();
});

t.test('owners who break the glass are typed and shown by their login names', async (t) => {
  const fields = (names: string): [string, string][] => [
    ...usual,
    ['breakGlassOwners', names],
    ['act', 'save'],
  ];
  const untested = await send(fields(keeper.userName));
  t.match(untested.text, /id="f-breakGlassOwners-error">Line 1: This owner must first sign in once/);
  t.match(untested.text, `>${keeper.userName}</textarea>`, 'what was typed stays');
  const unknown = await send(fields(`${viewer.userName}\n"nobody" or active eq true`));
  t.match(unknown.text, /id="f-breakGlassOwners-error">Line 2: No active owner of the organization/);
  const at = { ...keeper, lastModified: new Date(container.clock.now().getTime() + 1) };
  for (const type of ['user.human.password.check.succeeded', 'user.human.mfa.otp.check.succeeded'] as const)
    await container.events.record(userEvent(type, at, testEditor, {}));
  t.match(await send(fields(keeper.userName)), { status: 303, location: `${path}?done=saved` });
  t.same(await stored(), { breakGlassOwners: [keeper.id] });
  const page = await owner.get(path);
  t.match(page.text, `>${keeper.userName}</textarea>`);
  t.match(page.text, /Owners with emergency access/);
  t.notMatch(page.text, keeper.id, 'the page has no identifier');
  await clear();
});

t.test('every refused value has a message at its field, in the unit of the field', async (t) => {
  const refused = await send([
    ...usual,
    ...demand(0, { of: '', acr: '2', from: '' }),
    ...demand(1, { of: 'groups', acr: '2', from: '', groups: `${group.id}\n\nNobody's` }),
    ['sessionSeconds', '1'],
    ['act', 'save'],
  ]);
  t.equal(refused.status, 400);
  t.match(refused.text, 'id="f-demand-1-from-error"');
  t.match(refused.text, /id="f-sessionSeconds-error">Write a number of at least 5\./, 'minutes, not seconds');
  t.notMatch(refused.text, 'id="f-demand-0-from-error"', 'a demand that is left out has no errors');
  const unknown = await send([
    ...usual,
    ...demand(1, { of: 'groups', acr: '2', from: '2090-12-01', groups: `${group.id}\n\nNobody's` }),
  ]);
  t.equal(unknown.status, 400, 'a trial is refused, too');
  t.match(unknown.text, /id="f-demand-1-groups-error">.*The organization has no such group\./);
  const noNumber = await send([...usual, ['sessionSeconds', 'long']]);
  t.match(noNumber.text, 'id="f-sessionSeconds-error"');
  const noDay = await send([
    ...usual,
    ...demand(0, { of: 'everybody', acr: '2', from: '2090-02-30' }),
    ['act', 'save'],
  ]);
  t.match(noDay.text, /id="f-demand-0-from-error">Write a day such as/);
  const noMail = await send([...usual, ['secondFactors', 'mailCode'], ['act', 'save']]);
  t.match(noMail.text, /id="f-secondFactors-totp-error">No mail server is configured\./);
  const nothing = await send([['act', 'save']]);
  t.match(nothing.text, 'id="f-firstFactors-password-error"', 'a sign-in must begin with something');
  t.same(await stored(), {});
});

t.test(
  'a policy that would lock out the last owner is refused in words, with whom it would lock out',
  async (t) => {
    const fields: [string, string][] = [
      ['firstFactors', 'passkey'],
      ['secondFactors', 'totp'],
      ['act', 'save'],
    ];
    const refused = await send(fields);
    t.equal(refused.status, 409);
    t.match(refused.text, 'Under this policy no owner of the organization could sign in');
    t.match(refused.text, `>${owner.person.userName}</a>`);
    t.match(refused.text, 'locked out');
    t.notMatch(refused.text, 'Nobody else in this role can sign in');
    t.same(await stored(), {});
  },
);

t.test('what somebody else saved meanwhile is shown, and not replaced', async (t) => {
  const page = await owner.get(path);
  await changeOrganization(container, {
    orgId: home.id,
    change: { signInPolicy: { sessionSeconds: 600 } },
    editor: testEditor,
  });
  const late = await send([...usual, ['sessionSeconds', '30'], ['act', 'save']], page);
  t.equal(late.status, 409);
  t.match(late.text, 'Somebody else changed this while your form was open.');
  t.match(late.text, '10 minutes');
  t.match(late.text, 'value="30" id="f-sessionSeconds"');
  t.same(await stored(), { sessionSeconds: 600 });
  await clear();
});

t.test('a save with an old sign-in asks for the proof, and every demand comes back', async (t) => {
  const fields = [
    ...usual,
    ...demand(0, { of: 'roles', acr: '2', from: '2090-01-01' }),
    ...demand(1, { of: 'groups', acr: 'phr', from: '2090-01-02', groups: 'Sales & Co' }),
  ];
  const page = await owner.get(path);
  clock.advance(container.config.freshSignInSeconds + 60);
  t.equal((await send(fields, page)).status, 200, 'a trial needs none');
  const asked = await send([...fields, ['act', 'save']], page);
  t.match(asked, { status: 303, location: /^\/oauth\/v2\/authorize\?/ });
  t.same(await stored(), {});
});

t.test('only owners of the organization see it', async (t) => {
  const manager = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
  t.equal((await manager.get(path)).status, 403);
  const other = await openConsole(opened, await makeHome(container), { roles: ['ORG_OWNER'] });
  t.equal((await other.get(path)).status, 403);
});

t.test('the page of a user names the rule that stands in the way, and what to do', async (t) => {
  const policyOf = (from: string) => ({
    demands: [{ of: 'groups', groups: [group.id], acr: '2', from }] as const,
  });
  const seen = async (signInPolicy: object) => {
    await changeOrganization(container, { orgId: home.id, change: { signInPolicy }, editor: testEditor });
    return (await owner.get(`/console/orgs/${home.id}/users/${viewer.id}/sign-in`)).text;
  };
  const holds = await seen(policyOf('2020-01-01'));
  t.match(holds, 'This user cannot sign in:');
  t.match(holds, 'from Jan 1, 2020: two factors, of the members of Sales &amp; Co');
  t.match(holds, 'Make a one-time link for the user.');
  const later = await seen(policyOf('2090-01-01'));
  t.match(later, 'This user can sign in.');
  t.match(later, 'Until Jan 1, 2090, each sign-in asks the user to set it up.');
  const off = await seen({ firstFactors: ['passkey', 'connection'] });
  t.match(off, 'A sign-in begins only with: a passkey, another identity provider.');
  t.match(off, 'The user adds a passkey on the account page');
  t.notMatch(await seen({}), 'What the sign-in policy asks of this user');
});

t.test('a trial of a large organization is a job, with a page that ends with its result', async (t) => {
  const large = await makeHome(container, { name: 'Large' });
  const boss = await openConsole(opened, large, { roles: ['ORG_OWNER'] });
  const place = `/console/orgs/${large.id}/settings/sign-in-policy`;
  // Unknown numbers of so many people are counted by a job.
  const totals = container.mongo.collection<{ _id: string; orgId: string; by: number }>('userTotals');
  await totals.updateOne({ _id: large.id }, { $unset: { factors: '' } });
  await totals.insertOne({ _id: newId(), orgId: large.id, by: 20_001 });
  const form = await boss.get(place);
  const csrf = new RegExp(`${place}"[^>]*>.*?name="csrf" value="([^"]*)"`, 's').exec(form.text)?.[1] ?? '';
  const tried = await boss.post(place, [
    ['csrf', csrf],
    ...usual,
    ...demand(0, { of: 'everybody', acr: '2', from: '2090-01-01' }),
    ['sessionSeconds', '45'],
  ]);
  t.match(tried, { status: 303, location: new RegExp(`^${place}/trials/`) });
  const path = tried.location ?? '';
  let page = await boss.get(path);
  for (let n = 0; n < 500 && !page.text.includes('This was a trial.'); n++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    page = await boss.get(path);
  }
  t.match(page.text, '<strong>1</strong> must set up another factor');
  t.match(page.text, `>${boss.person.userName}</a>`);
  t.match(page.text, 'value="45" id="f-sessionSeconds"', 'the form has the policy that was tried');
  t.match(page.text, 'value="2090-01-01" id="f-demand-0-from"');
  t.notMatch(page.text, 'hx-trigger="every 2s"', 'nothing changes any more');
  t.equal((await owner.get(path)).status, 403, 'nobody else sees it');
  const own = path.replace(large.id, home.id);
  t.equal((await owner.get(own)).status, 404, 'nor under another organization');

  const id = newId();
  const waiting = { id, kind: 'policy-trial', orgId: large.id, requestedBy: boss.person.id } as const;
  await container.jobs.insert({ ...waiting, total: 9, created: clock.now(), body: Buffer.from('{}') });
  const open = await boss.get(`${place}/trials/${id}`);
  t.match(open.text, 'So many people must be looked at one by one');
  t.match(open.text, '0 of 9');
  const again = await boss.post(place, [['csrf', csrf], ...usual]);
  t.match(again.text, 'A trial is under way for this organization.');
  const cancelled = await boss.follow(await boss.fill(open, {}, `${place}/trials/${id}/cancel`));
  t.match(cancelled.text, 'The trial was not completed.');
});
