import t from 'tap';
import { addGroup, changeGroup } from '#src/people/groups/index.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { addConnectionTo, isSignedIn, newVisitor, signInBy } from '../../support/oidc/connected.js';

/** The page that says where values and groups come from, with the preview of a sign-in. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
const home = await makeHome(container, { name: 'Acme' });
const api = await makeCaller(container, home.id, ['ORG_OWNER']);
const owner = await openConsole(service, home, { roles: ['ORG_OWNER'] });
const connectionId = await addConnectionTo(service, { orgId: home.id, owner: api }, provider);
const connected = { orgId: home.id, connectionId };
const one = `/console/orgs/${home.id}/connections/${connectionId}`;
const path = `${one}/mapping`;
const stored = () => container.connections.find(home.id, connectionId);
const group = (displayName: string) =>
  addGroup(container, { orgId: home.id, profile: { displayName }, members: new Set(), editor: testEditor });
const [sales, staff] = [await group('Sales | North'), await group('Staff')];

/** The fields of the form, as the browser sends them. */
const send = async (fields: Record<string, string>) => owner.fill(await owner.get(path), fields, path);
/** Rows that the connection has from the beginning. */
const usual = { when: 'first', from_givenName: 'given_name', from_email: 'email', groups: '', tried: '' };

t.test(
  'the table is saved and shown: names, the first of several, constants, lower case and groups',
  async (t) => {
    const page = await owner.get(path);
    t.match(page.text, /name="from_givenName"[^>]*value="given_name"/);
    t.notMatch(page.text, 'name="constant_email"', 'everybody would have one address');
    t.match((await owner.get(one)).text, path);
    const fields = {
      when: 'always',
      from_givenName: 'given_name',
      from_displayName: 'nickname, Full Name',
      from_userName: 'upn',
      lower_userName: 'on',
      from_department: '',
      constant_department: 'Field work',
      groups: `groups | 2f0c | sales | north\n\n groups|b0|${staff.id}`,
    };
    t.match(await owner.fill(page, fields, path), { status: 303, location: `${one}?done=saved` });
    t.strictSame((await stored())?.claims, { givenName: 'given_name' });
    t.strictSame((await stored())?.mapping, {
      when: 'always',
      values: [
        { to: 'userName', from: ['upn'], lowerCase: true },
        { to: 'displayName', from: ['nickname', 'Full Name'] },
        { to: 'department', from: [], constant: 'Field work' },
      ],
      groups: [
        { claim: 'groups', value: '2f0c', groupId: sales.id },
        { claim: 'groups', value: 'b0', groupId: staff.id },
      ],
    });
    const again = await owner.get(path);
    t.match(again.text, /name="from_displayName"[^>]*value="nickname, Full Name"/);
    t.match(again.text, /name="constant_department"[^>]*value="Field work"/);
    t.match(again.text, /name="lower_userName"[^>]*checked/);
    t.match(again.text, `groups | 2f0c | Sales | North (${sales.id})\ngroups | b0 | Staff (${staff.id})`);
    t.equal((await owner.fill(page, fields, path)).status, 409, 'a form that is out of date changes nothing');
  },
);

t.test('the preview tells what would happen, and changes nothing', async (t) => {
  await send(usual);
  const nobody = await send({ ...usual, act: 'preview' });
  t.match(nobody, { status: 404, text: /id="f-tried"[^>]*aria-invalid/ }, 'nobody has signed in');
  const before = await stored();
  const tried = JSON.stringify({ sub: '7', nick: 'ANN', given_name: '<b>Ann</b>', groups: ['x'] });
  const fields = { ...usual, from_userName: 'nick', lower_userName: 'on', from_email: '', act: 'preview' };
  const shown = await send({ ...fields, groups: 'groups | x | Staff\ngroups | y | Sales | North', tried });
  t.equal(shown.status, 200);
  t.match(shown.text, 'A new user with these values would be added.');
  t.match(shown.text, /User name<\/dt><dd>ann</);
  t.match(shown.text, /Becomes a member of<\/dt><dd>Staff</);
  t.match(shown.text, /Is no member of<\/dt><dd>Sales \| North</);
  t.match(shown.text, '&lt;b&gt;Ann');
  t.notMatch(shown.text, '<b>Ann');
  t.match(shown.text, /name="from_userName"[^>]*value="nick"/, 'what was typed stays');
  t.strictSame(await stored(), before);
  t.match(await send({ ...fields, tried: 'no json' }), {
    status: 400,
    text: /id="f-tried"[^>]*aria-invalid/,
  });

  const claims = { sub: 'real', given_name: 'Rea', email: 'rea@acme.example' };
  t.ok(isSignedIn(await signInBy(newVisitor(service), connected, provider, claims)));
  const last = await send({ ...usual, act: 'preview' });
  t.match(last.text, 'The identity is linked to this user');
  t.match(last.text, 'rea@acme.example');
  const emptied = await send({ ...usual, from_email: '', act: 'preview' });
  t.notMatch(emptied.text, /Email address<\/dt>/, 'a row that is emptied gives nothing');
});

t.test('a refused row says why at its field', async (t) => {
  await send(usual);
  const wrong = await send({
    ...usual,
    from_title: 'a\u200bb, First Name',
    groups: 'groups | x | nothing\nnonsense',
  });
  t.equal(wrong.status, 400);
  t.match(wrong.text, /id="f-from_title"[^>]*aria-invalid/);
  t.match(wrong.text, /<a href="#f-from_title">Title: /, 'the summary names the field');
  const line = await send({ ...usual, groups: 'groups | x | nothing\nnonsense' });
  t.match(line, { status: 400, text: /id="f-groups"[^>]*aria-invalid/ });
  t.match(line.text, 'Line 2: ');
  const many = Array.from({ length: 6 }, (_, at) => `c${at}`).join(', ');
  t.match(await send({ ...usual, from_title: many }), {
    status: 400,
    text: /id="f-from_title"[^>]*aria-invalid/,
  });
  t.strictSame((await stored())?.mapping, { when: 'first', values: [], groups: [] });
  const foe = await openConsole(service, await makeHome(container), { roles: ['ORG_OWNER'] });
  t.equal((await foe.get(path)).status, 403);
});

t.test('a line means the group that it was shown for, whatever groups are called by then', async (t) => {
  const [owners, helpers] = [await group('Owners'), await group('Helpers')];
  const rename = (id: string, displayName: string) =>
    changeGroup(container, {
      ...{ orgId: home.id, id, editor: testEditor },
      profile: () => ({ displayName }),
      delta: { from: 'current', added: new Set(), removed: new Set() },
    });
  const groupsOf = async () => (await stored())?.mapping.groups.map(({ groupId }) => groupId);
  await send({ ...usual, groups: 'groups | h | helpers' });
  t.strictSame(await groupsOf(), [helpers.id]);
  for (const name of [owners.id, `Owners (${owners.id})`]) {
    await rename(helpers.id, name);
    const page = await owner.get(path);
    const shown = /<textarea[^>]*name="groups"[^>]*>([^<]*)</.exec(page.text)?.[1]?.trim() ?? '';
    t.match(await owner.fill(page, { ...usual, groups: shown }, path), { status: 303 }, name);
    t.strictSame(await groupsOf(), [helpers.id], name);
    const typed = await send({ ...usual, groups: `groups | h | ${name}` });
    t.match(typed, { status: 400, text: /id="f-groups"[^>]*aria-invalid/ }, 'two groups could be meant');
    t.strictSame(await groupsOf(), [helpers.id]);
  }
  await rename(helpers.id, 'Helpers');
  const page = await owner.get(path);
  await rename(helpers.id, 'Others');
  await rename(owners.id, 'Helpers');
  const shown = /<textarea[^>]*name="groups"[^>]*>([^<]*)</.exec(page.text)?.[1]?.trim() ?? '';
  t.match(await owner.fill(page, { ...usual, groups: shown }, path), { status: 303 });
  t.strictSame(await groupsOf(), [helpers.id], 'they changed names while the page was open');
});

t.test('names with separators are shown, and saving does not change them', async (t) => {
  const mapping = {
    when: 'first',
    values: [
      { to: 'title', from: ['Last, First', 'title'], constant: 'None', lowerCase: true },
      { to: 'department', from: ['dept', 'ou'] },
    ],
    groups: [
      { claim: 'a|b', value: 'x', groupId: sales.id },
      { claim: 'groups', value: 'y|z', groupId: staff.id },
      { claim: 'groups', value: 'plain', groupId: staff.id },
    ],
  };
  const claims = { givenName: 'given, name' };
  const api1 = `PATCH /admin/v1/orgs/${home.id}/connections/${connectionId}`;
  t.equal((await service.call(api1, { as: api, body: { mapping, claims } })).status, 200);
  const before = await stored();
  const page = await owner.get(path);
  t.match(page.text, /name="from_title"[^>]*value="Last, First, title"[^>]*readonly/);
  t.notMatch(page.text, /name="from_department"[^>]*readonly/);
  t.match(page.text, `a|b | x | Sales | North (${sales.id})`);
  const fields = {
    from_givenName: 'given, name',
    from_department: 'dept, ou',
    from_title: 'Last, First, title',
  };
  const groups = `groups | plain | Staff (${staff.id})`;
  t.match(await owner.fill(page, { ...fields, when: 'first', groups, from_email: '' }, path), {
    status: 303,
  });
  const after = await stored();
  t.strictSame(after?.claims, before?.claims);
  t.strictSame(after?.mapping.values, before?.mapping.values);
  t.strictSame(new Set(after?.mapping.groups), new Set(before?.mapping.groups));
});
