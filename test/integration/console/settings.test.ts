import sharp from 'sharp';
import t from 'tap';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

const opened = await buildTestApp(t);
const { call, container } = opened;
const home = await makeHome(container, { name: 'Acme' });
const instanceOwner = await openConsole(opened, await makeHome(container), { roles: ['IAM_OWNER'] });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const base = `/console/orgs/${home.id}/settings`;
const cookieOf = () => [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const stored = () => container.organizations.find(home.id);
const change = (part: string) => `${base}/change/${part}`;

t.test('each part is changed by its own form', async (t) => {
  const page = await owner.get(base);
  t.notMatch(page.text, 'change/quotas', 'quotas are for instance owners');
  t.equal((await owner.fill(page, { name: 'Acme <b>' }, change('name'))).status, 303);
  const next = await owner.get(`${base}?done=saved`);
  t.match(next.text, 'Acme &lt;b&gt;');
  t.match(next.text, 'Saved.');
  await owner.fill(
    await owner.get(base),
    { nist: 'on', minLength: '8', selfRegistration: 'on' },
    change('signIn'),
  );
  const brand = {
    brandColor: '#0A6B4F',
    logoUrl: 'https://cdn.example/logo.png',
    faviconUrl: 'https://cdn.example/icon.ico',
  };
  await owner.fill(await owner.get(base), brand, change('branding'));
  await owner.fill(await owner.get(base), { notifyChanges: 'on' }, change('notices'));
  await owner.fill(await owner.get(base), { uniqueExternalId: 'on' }, change('scim'));
  t.match(await stored(), {
    name: 'Acme <b>',
    passwordPolicy: { minLength: 15, upper: false, lower: false, digit: false, symbol: false },
    login: {
      ...{ selfRegistration: true, notifyNewBrowser: false, notifyAdministration: false },
      ...{ ...brand, brandColor: '#0a6b4f' },
    },
    uniqueExternalId: true,
  });
  const branded = await owner.get(base);
  t.match(branded.headers['content-security-policy'], 'https://cdn.example');
  await instanceOwner.fill(await instanceOwner.get(base), { 'quota-users': '50' }, change('quotas'));
  t.same((await stored())?.quotas, { users: 50 }, 'the others stay those of the instance');
});

t.test('a colour is typed or picked, and a logo is uploaded and removed', async (t) => {
  const picked = async (fields: Record<string, string>) => {
    await owner.fill(await owner.get(base), fields, change('branding'));
    return (await stored())?.login.brandColor;
  };
  const { baseUrl } = container.config;
  t.equal(await picked({ brandColor: '', brandColorPick: '#aa0000' }), undefined, 'the text is emptied');
  t.equal(await picked({ brandColorPick: '#AA0000' }), '#aa0000', 'only the picker differs');
  t.equal(await picked({ brandColor: '#00aa00', brandColorPick: '#0000aa' }), '#00aa00', 'the text counts');
  t.equal(await picked({ brandColor: '#00aa00', brandColorPick: '#00aa00' }), '#00aa00', 'neither differs');

  const upload = async (picture: Buffer) => {
    const { text } = await owner.get(base);
    const csrf = /multipart\/form-data[\s\S]*?name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const form = new FormData();
    form.append('csrf', csrf);
    form.append('logo', new Blob([new Uint8Array(picture)]), 'logo.svg');
    const sent = new Request('http://localhost/', { method: 'POST', body: form });
    return opened.app.inject({
      method: 'POST',
      url: `${base}/logo`,
      headers: {
        cookie: cookieOf(),
        origin: baseUrl,
        'content-type': sent.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await sent.arrayBuffer()),
    });
  };
  const png = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#0a6b4f' } })
    .png()
    .toBuffer();
  for (const wrong of [Buffer.from('<svg onload="alert(1)"/>'), Buffer.alloc(0), Buffer.alloc(1_100_000)]) {
    const refused = await upload(wrong);
    t.equal(refused.statusCode, 303, 'the browser is led to the page that says why');
    const page = await owner.get(String(refused.headers.location).replace(baseUrl, ''));
    t.match(page, { status: 400, text: /id="f-logo-error">This picture cannot be used/ });
  }
  t.equal((await upload(png)).statusCode, 303);
  const { logoUrl = '' } = (await stored())?.login ?? {};
  t.match(logoUrl, /\/login\/logos\/.+\.webp$/);
  const shown = await owner.get(base);
  t.match(shown.text, `value="${logoUrl}"`);
  t.equal((await owner.fill(shown, { brandColor: '#ffd400', logoUrl }, change('branding'))).status, 303);
  t.match((await stored())?.login, { logoUrl, brandColor: '#ffd400' }, 'the form keeps the uploaded logo');
  const remove = `${base}/logo/remove`;
  t.equal((await owner.fill(await owner.get(base), {}, remove)).status, 303);
  t.equal((await stored())?.login.logoUrl, undefined);
  t.notMatch((await owner.get(base)).text, remove, 'nothing is left to remove');
});

t.test('the preview shows what is saved, or what is typed, and cannot be used', async (t) => {
  const preview = (query: object, headers = {}) =>
    opened.app.inject({
      url: `${base}/preview?${new URLSearchParams({ ...query })}`,
      headers: { cookie: cookieOf(), ...headers },
    });
  t.match((await owner.get(base)).headers['content-security-policy'], "frame-src 'self'");
  t.notMatch((await owner.get(`${base}/members`)).headers['content-security-policy'], 'frame-src');
  const saved = await preview({ scheme: 'light' });
  t.match(saved.headers, {
    'x-frame-options': 'SAMEORIGIN',
    'content-security-policy': /script-src 'none'.*frame-ancestors 'self'/,
  });
  t.match(saved.payload, /--fill:#ffd400/);
  t.match(saved.payload, /Links in #ffd400 would be hard to read here: their contrast is 1\.\d:1/);
  t.match(
    (await preview({ scheme: 'dark' })).payload,
    /color-scheme:dark[\s\S]*Links in #ffd400 are easy to read here/,
  );
  const typed = { scheme: 'light', brandColor: '#0a6b4f', logoUrl: 'https://cdn.example/typed.png' };
  t.match((await preview(typed)).payload, /--fill:#0a6b4f[\s\S]*src="https:\/\/cdn\.example\/typed\.png"/);
  for (const site of ['cross-site', 'same-site', 'none'])
    t.notMatch(
      (await preview(typed, { 'sec-fetch-site': site })).payload,
      /typed\.png/,
      `${site}: only what is saved`,
    );
  const hostile = {
    brandColor: '#fff}body{background:red',
    logoUrl: 'https://cdn.example/"><script>alert(1)</script>',
  };
  const answer = await preview(hostile);
  t.equal(answer.statusCode, 200);
  t.notMatch(answer.payload, /background:red|<script/);
  t.notMatch((await preview({ logoUrl: 'javascript:alert(1)' })).payload, 'javascript:');
});

t.test('a refused value comes back with what was typed', async (t) => {
  const wrong = { logoUrl: 'http://plain.example/"><script>' };
  const refused = await owner.fill(await owner.get(base), wrong, change('branding'));
  t.equal(refused.status, 400);
  t.match(refused.text, 'value="http://plain.example/&quot;&gt;&lt;script&gt;"');
  t.match(refused.text, 'Write an address with https://');
  const length = await owner.fill(await owner.get(base), { minLength: 'many' }, change('signIn'));
  t.equal(length.status, 400);
  const proof = { minLength: '15', nist: 'on', verifyEmail: 'on' };
  const mailless = await owner.fill(await owner.get(base), proof, change('signIn'));
  t.match(
    mailless,
    { status: 409, text: /id="f-verifyEmail-on-error">No mail server is configured/ },
    'this service sends no mail',
  );
});

t.test('the second of two administrators is told what the first one changed', async (t) => {
  const page = await owner.get(base);
  await changeOrganization(container, { orgId: home.id, change: { name: 'Of another' }, editor: testEditor });
  const refused = await owner.fill(page, { name: 'Mine' }, change('name'));
  t.equal(refused.status, 409);
  t.match(refused.text, 'Somebody else changed this while your form was open.');
  t.match(refused.text, 'value="Mine"');
  t.match(refused.text, 'Of another');
  t.match(refused.text, /changed the organization .*: Name: .* → Of another/);
  t.notMatch(refused.text, 'org.changed');
  t.equal((await stored())?.name, 'Of another');
  t.equal((await owner.fill(refused, { name: 'Mine' }, change('name'))).status, 303);
  t.equal((await stored())?.name, 'Mine');
});

t.test('domains are added, verified, made primary and removed', async (t) => {
  const domains = `${base}/domains`;
  const bad = await owner.fill(await owner.get(domains), { domainName: 'no domain' }, domains);
  t.match(bad, { status: 400, text: /value="no domain"/ });
  await owner.fill(bad, { domainName: 'acme.example' }, domains);
  t.same((await stored())?.unverifiedDomains, ['acme.example']);
  const early = await owner.get(`${domains}/acme.example/proof`);
  t.match(early, { status: 200, text: />Prove by DNS</ }, 'no proof has begun');
  t.equal((await owner.get(`${domains}/other.example/proof`)).status, 404, 'a domain of nobody here');
  const forOwner = await owner.get(domains);
  t.notMatch(forOwner.text, '>Verify<');
  await instanceOwner.fill(
    await instanceOwner.get(domains),
    { change: 'verify' },
    `${domains}/acme.example/change`,
  );
  t.same((await stored())?.domains, ['acme.example']);
  const remove = `${domains}/acme.example/remove`;
  t.equal((await owner.fill(await owner.get(remove), { confirmed: 'x' }, remove)).status, 400);
  t.equal((await owner.fill(await owner.get(remove), { confirmed: 'acme.example' }, remove)).status, 303);
  t.same((await stored())?.domains, []);
});

t.test('roles are given by user name and taken away', async (t) => {
  const members = `${base}/members`;
  await makePerson(container, home, { userName: 'new"member' });
  const unknown = await owner.fill(
    await owner.get(members),
    { userName: 'nobody', role: 'ORG_OWNER' },
    members,
  );
  t.match(unknown, { status: 404, text: /value="nobody"/ });
  await owner.fill(unknown, { userName: 'new"member', role: 'ORG_USER_VIEWER' }, members);
  const listed = await owner.get(members);
  t.match(listed.text, 'new&quot;member');
  const [row = ''] = listed.text.split('<tr>').filter((text) => text.includes('new&quot;member'));
  const [, action = ''] = /href="[^"]*?(\/console[^"]*\/remove)"/.exec(row) ?? [];
  const asked = await owner.get(action);
  t.match(await owner.fill(asked, { confirmed: 'else' }, action), { status: 400 });
  t.match(await owner.fill(asked, { confirmed: 'new"member' }, action), { status: 303, location: members });
  t.notMatch((await owner.get(members)).text, 'new&quot;member');
  const byAddress = await makePerson(container, home);
  await owner.fill(
    await owner.get(members),
    { userName: byAddress.emails[0]?.value ?? '', role: 'ORG_USER_VIEWER' },
    members,
  );
  t.match((await owner.get(members)).text, byAddress.userName, 'by the address');
});

t.test('own attributes are added, changed and removed by fields', async (t) => {
  const [edit, attribute] = [`${base}/schemas/edit`, `${base}/schemas/attribute`];
  const form = await owner.get(edit);
  const first = { name: 'Badge', attribute: 'number', type: 'string', unique: 'on', values: '' };
  const wrong = await owner.fill(form, { ...first, attribute: '1 "number"' }, edit);
  t.match(wrong, { status: 400, text: 'value="1 &quot;number&quot;"' });
  const added = await owner.follow(await owner.fill(wrong, first, edit));
  const id = 'urn:ietf:params:scim:schemas:extension:badge:2.0:User';
  t.match(added.text, id, 'a URN is made of the name');
  t.match(added.text, '<code>number</code>');
  t.match((await owner.get(`${base}/schemas`)).text, 'number (Text)');
  const twice = await owner.fill(await owner.get(edit), { ...first, attribute: 'other' }, edit);
  t.match(twice, { status: 409, text: 'This identifier is taken' }, 'a new one replaces none');

  const next = await owner.get(`${attribute}?id=${id}`);
  // The page hides what the type cannot have, but a browser sends it.
  const level = { attribute: 'level', type: 'integer', multiValued: 'on', searchable: 'on', values: 'a' };
  t.equal((await owner.fill(next, level, attribute)).status, 303);
  const skills = { attribute: 'skills', type: 'string', multiValued: 'on', values: 'a\r\nb' };
  t.equal((await owner.fill(next, skills, attribute)).status, 303);
  const stored = async () =>
    (
      await call(`GET /admin/v1/orgs/${home.id}/extension-schemas/${id}`, {
        as: await makeCaller(container, home.id, ['ORG_OWNER']),
      })
    ).body.attributes.map(({ description: _, ...one }: { description: string }) => one);
  const off = { required: false, multiValued: false, unique: false, searchable: false };
  const expected = [
    { ...off, name: 'number', type: 'string', unique: true, searchable: true },
    { ...off, name: 'level', type: 'integer', searchable: true },
    { ...off, name: 'skills', type: 'string', multiValued: true, canonicalValues: ['a', 'b'] },
  ];
  t.same(await stored(), expected);

  const change = await owner.get(`${attribute}?id=${id}&name=skills`);
  t.notMatch(change.text, 'name="type"', 'the type cannot change');
  t.equal((await owner.fill(change, { required: 'on', values: 'b', unique: 'on' }, attribute)).status, 303);
  t.same(await stored(), [
    ...expected.slice(0, 2),
    { ...expected[2], required: true, canonicalValues: ['b'] },
  ]);
  t.equal((await owner.get(`${attribute}?id=${id}&name=none`)).status, 404);

  const gone = await owner.get(`${attribute}/remove?id=${id}&name=level`);
  t.match(gone.text, 'Every user loses the value');
  t.equal((await owner.fill(gone, { confirmed: 'skills' }, `${attribute}/remove`)).status, 400);
  t.equal((await owner.fill(gone, { confirmed: 'level' }, `${attribute}/remove`)).status, 303);
  t.same(
    (await stored()).map(({ name }: { name: string }) => name),
    ['number', 'skills'],
  );
  const named = await owner.get(`${edit}?id=${id}`);
  t.equal((await owner.fill(named, { name: 'Card', description: 'Of the gate' }, edit)).status, 303);
  t.equal((await stored()).length, 2, 'another name keeps the attributes');
  const person = await owner.get(`/console/orgs/${home.id}/users/new`);
  t.match(person.text, `${id}:skills`, 'the form for a user has them, whatever their URN begins with');
  const remove = await owner.get(`${base}/schemas/remove?id=${id}`);
  t.match(remove.text, 'Type the name to confirm: Card');
  t.equal((await owner.fill(remove, { confirmed: 'Card' }, `${base}/schemas/remove`)).status, 303);
  t.match((await owner.get(`${base}/schemas`)).text, 'No own attributes yet');
});

t.test('an application of another organization is granted and taken back', async (t) => {
  const other = await makeHome(container);
  const { id } = await makeApplication(container, other.id, { orgOnly: false });
  const grants = `${base}/grants`;
  const unknown = await owner.fill(await owner.get(grants), { clientId: 'nothing' }, grants);
  t.match(unknown, { status: 404, text: /value="nothing"/ });
  await owner.fill(unknown, { clientId: id }, grants);
  const listed = await owner.get(grants);
  t.match(listed.text, id);
  await owner.fill(listed, {}, `${grants}/${id}/remove`);
  t.notMatch((await owner.get(grants)).text, id);
});
