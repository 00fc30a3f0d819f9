import { gzipSync } from 'node:zlib';
import t from 'tap';
import { addGroup } from '#src/people/groups/index.js';
import { until } from '../../../dev/until.js';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { testEditor as editor, uniqueName } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { bcryptHash } from '../../support/migration/imports.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { formsOf } from '../../support/oidc/visitor.js';

/** "Add many" in the console, by an owner of one organization: a look at the file, a dry run, the import, and the export. */

const mailServer = await startMailServer(t);
const opened = await buildTestApp(t, { workers: true, smtpUrl: mailServer.url });
const { app, container, clock } = opened;
const { baseUrl } = container.config;
const home = await makeHome(container, { name: 'Acme' });
const foreign = await makeHome(container, { name: 'Foe' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const path = `/console/orgs/${home.id}/users/many`;

const cookieOf = (user: ConsoleUser) =>
  [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Posts the form with a file, as a browser does. */
async function upload(user: ConsoleUser, file: Buffer | string, { at = path, kind = 'auto' } = {}) {
  const { text } = await user.get(at);
  const csrf = /enctype="multipart\/form-data"[\s\S]*?name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const boundary = 'b0undary';
  const fields = Object.entries({ csrf, kind }).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\ncontent-type: text/csv\r\n\r\n`;
  const answer = await app.inject({
    method: 'POST',
    url: at,
    remoteAddress: '192.0.2.1',
    headers: {
      cookie: cookieOf(user),
      origin: new URL(baseUrl).origin,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([
      Buffer.from(fields.join('') + head),
      Buffer.from(file),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
  const location = String(answer.headers.location ?? '').replace(baseUrl, '');
  if (/[?&]refused=/.test(location)) return { ...(await user.get(location)), location: '' };
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, location };
}

/** Sends the form of a page whose action ends so. */
async function press(
  user: ConsoleUser,
  page: { text: string },
  end: string,
  typed: Record<string, string> = {},
) {
  const found = formsOf(page.text).find(({ action }) => action.endsWith(end));
  if (found === undefined) throw new Error(`No form ${end} in ${page.text.slice(0, 3_000)}`);
  return user.post(found.action.replace(baseUrl, ''), { ...found.hidden, ...typed });
}

async function settled(user: ConsoleUser, address: string | undefined) {
  const at = (address ?? '').replace(baseUrl, '');
  await until(async () => !(await user.get(at)).text.includes('hx-trigger'));
  return user.get(at);
}

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

t.test('a table: columns, people before and after, dry run, import, the same again', async (t) => {
  const word = uniqueName('csv');
  const rows = [
    'Vorname;Nachname;E-Mail;Abteilung;Kennwort-Hash;Schuhgröße',
    `Ada;Berg;ada@${word}.example;Forschung;${bcryptHash};38`,
    `Björn;Çelik;bjorn@${word}.example;Werk;;44`,
    `Cleo;Dubois;cleo@${word}.example;Werk;;39`,
    'Dora;Ohne;;Werk;;40',
  ];
  // As Excel saves it in western Europe: Windows-1252, with semicolons.
  const sent = await upload(owner, Buffer.from(rows.join('\r\n'), 'latin1'));
  t.equal(sent.status, 303, sent.text.slice(0, 2_000));
  const review = await owner.get(sent.location);
  t.equal(review.status, 200);
  const text = plain(review.text);
  t.match(text, /Vorname Given name/);
  t.match(text, /Abteilung Department/);
  t.match(text, /Kennwort-Hash Password \(hash\)/);
  t.match(text, /With a password 1/);
  t.equal(text.split('Password (hash)').length, 3, 'nobody else has one: the column, and the first person');
  t.match(text, /Schuhgröße left out/);
  t.match(text, 'Çelik', 'the letters are right');
  t.match(text, /Person 3/);
  t.notMatch(review.text, bcryptHash.slice(10), 'hashes are hidden');
  t.match(text, /Person or group Line What is wrong Dora Ohne 5 /, 'whom, and the line of the file');
  t.match(text, /Here Login name .*Given name Ada Family name Berg/);
  t.ok(review.text.length < 80_000, `${review.text.length}`);

  const dry = await settled(owner, (await press(owner, review, '/run')).location);
  t.match(dry.text, '<h1>Dry run</h1>');
  t.match(plain(dry.text), /Would be created 3/);
  t.match(dry.text, 'Nothing was changed');
  t.equal(await container.users.count(home.id), 1, 'the owner alone');

  const real = await settled(owner, (await press(owner, dry, '/run')).location);
  t.match(real.text, '<h1>Import</h1>');
  t.match(plain(real.text), /Created 3/);
  t.equal(await container.users.count(home.id), 4);
  const again = await settled(owner, (await press(owner, review, '/run')).location);
  t.match(plain(again.text), /Would be created 0 .*Would be skipped 3/);
});

t.test('an error names the person, the line and what to do', async (t) => {
  const { person } = owner;
  const cells = `name\temail\tlogin\nEva\teva@x.example\teva-1\nOlga\tolga@x.example\t${person.userName}`;
  const page = await owner.get(path);
  const sent = await press(owner, page, '/cells', { cells });
  const review = await owner.get((sent.location ?? '').replace(baseUrl, ''));
  const dry = await settled(owner, (await press(owner, review, '/run')).location);
  const row =
    dry.text
      .split('<tr')
      .slice(1)
      .find((one) => one.includes(person.userName)) ?? '';
  t.match(row, 'data-label="Line"><div>3<');
  t.match(row, 'Another person has this login name');
  t.match(row, /NAME-TAKEN|OTHER-CONTENT/);
});

t.test('rules say what becomes of people whose credentials cannot move', async (t) => {
  const acme = await makeHome(container, { name: 'Rules' });
  const german = await openConsole(opened, acme, {
    roles: ['ORG_OWNER'],
    language: 'de',
  });
  const at = `/console/orgs/${acme.id}/users/many`;
  const factor = { twoFactor: { methods: [{ method: 'authenticator', secret: 'MDEyMzQ1Njc4OQ==' }] } };
  const users = [
    { username: 'ann', email: 'ann@r.example', verified: true, ...factor },
    { username: 'bob', verified: true, encryptionScheme: 'bcrypt', factor: 10, salt: '!', password: '!' },
    { username: 'cy', active: true },
  ];
  const file = JSON.stringify({ users: users.map((user) => ({ ...user, tenantId: 't' })) });
  const first = await german.get((await upload(german, file, { at })).location);
  t.match(plain(first.text), /Personen 1 .*Unbrauchbare Zeilen 2/);
  t.match(plain(first.text), 'Der Passwort-Hash ist nicht lesbar.');
  t.match(plain(first.text), 'Die Person hat weder ein Passwort noch eine E-Mail-Adresse.');
  t.match(plain(first.text), 'Personen, deren zweiter Faktor nicht mitkommen kann 1');
  const isEnglish = /HASH-|hashedPassword|masked|<(?:p|span)[^>]* lang="en"|--drop-hashes/;
  t.notMatch(first.text, isEnglish, 'nothing of the command, and nothing in English');

  const rules = { withoutCredentials: 'on', dropHashes: 'on', secondFactors: 'link' };
  const shown = await press(german, first, '/run', { ...rules, do: 'show' });
  const second = await german.get((shown.location ?? '').replace(baseUrl, ''));
  t.match(plain(second.text), /Personen 3 .*Weggelassene Passwörter und Hashes 1/);
  t.match(second.text, /name="dropHashes" value="on" checked/);
  t.match(second.text, '<option value="link" selected>');
  const typed = { ...rules, secondFactors: 'drop' };
  const dry = await settled(german, (await press(german, second, '/run', typed)).location);
  t.match(plain(dry.text), /Würden angelegt 3|Angelegt würden 3|3/);
  const real = await settled(german, (await press(german, dry, '/run')).location);
  t.equal(await container.users.count(acme.id), 4, plain(real.text).slice(0, 600));

  // A file that cannot be read as a whole says why in the same language.
  const broken = await german.get((await upload(german, 'email;email\na@b.example;c\n', { at })).location);
  t.equal(broken.status, 400);
  t.match(plain(broken.text), 'Zwei Spalten haben die Überschrift email');
  t.notMatch(broken.text, isEnglish);
});

t.test('a file is compared with what is here', async (t) => {
  const acme = await makeHome(container, { name: 'Compare' });
  const user = await openConsole(opened, acme, { roles: ['ORG_OWNER'] });
  const at = `/console/orgs/${acme.id}/users/many`;
  const word = uniqueName('same');
  const table = (title: string) =>
    `login,email,title\n${word}1,a@${word}.example,${title}\n${word}2,b@${word}.example,x\n`;
  const review = await user.get((await upload(user, table('Guide'), { at })).location);
  const before = await settled(user, (await press(user, review, '/run', { do: 'compare' })).location);
  t.match(before.text, '<h1>Verification</h1>');
  t.match(plain(before.text), /Missing 2 .*is not here/);
  t.equal(await container.users.count(acme.id), 1, 'nothing is changed');
  const dry = await settled(user, (await press(user, review, '/run')).location);
  const real = await settled(user, (await press(user, dry, '/run')).location);
  // The import offers the comparison of the same file.
  const action = formsOf(real.text).find(({ hidden }) => hidden['do'] === 'compare');
  const after = await settled(
    user,
    (await user.post((action?.action ?? '').replace(baseUrl, ''), action?.hidden ?? {})).location,
  );
  t.match(plain(after.text), /Same 2 .*Only in the service 1/, 'the owner is only here');
  const other = await user.get((await upload(user, table('Lead'), { at })).location);
  const job = (await press(user, other, '/run', { do: 'compare' })).location ?? '';
  const changed = await settled(user, job);
  t.match(plain(changed.text), new RegExp(`${word}1 has other values here title`));
  const path = job.replace(baseUrl, '').replace(/\?.*/, '/differences');
  t.match((await user.get(path)).text, '"kind":"different"');
  const stranger = await openConsole(opened, foreign, { roles: ['ORG_OWNER'] });
  t.not((await stranger.get(path)).status, 200);
});

t.test('cells without a heading, one column of addresses', async (t) => {
  const page = await owner.get(path);
  const sent = await press(owner, page, '/cells', { cells: 'p1@cells.example\np2@cells.example\n' });
  const review = await owner.get((sent.location ?? '').replace(baseUrl, ''));
  t.match(plain(review.text), /People 2/);
  const dry = await settled(owner, (await press(owner, review, '/run')).location);
  t.match(plain(dry.text), /Would be created 2/);
});

t.test('files are converted so often in a day, also those of which nothing can be read', async (t) => {
  const busy = await makeHome(container, { name: 'Busy' });
  const user = await openConsole(opened, busy, { roles: ['ORG_OWNER'] });
  const at = `/console/orgs/${busy.id}/users/many`;
  t.equal((await upload(user, 'PK\x03\x04', { at })).status, 400, 'a workbook');
  for (let n = 1; n < 300; n++) await container.organizationBounds.countConversion(busy.id);
  const refused = await upload(user, 'email\na@x.example\n', { at });
  t.equal(refused.status, 429);
  t.ok(Number(refused.headers['retry-after']) > 3_600);
});

// The forms: a partial export of a realm (Keycloak's Server Administration Guide, "Importing and exporting realms"), the export of Auth0's
// extension "User Import / Export", and RFC 2849. The people are invented.
t.test('files of other systems go the same way', async (t) => {
  const realm = {
    realm: 'acme',
    users: [
      {
        id: 'k-1',
        username: 'kim',
        enabled: true,
        email: 'kim@key.example',
        emailVerified: true,
        firstName: 'Kim',
        lastName: 'Oh',
      },
    ],
  };
  const auth0 = [{ user_id: 'auth0|1', email: 'ann@auth.example', email_verified: true, name: 'Ann Lee' }];
  const ldif =
    'dn: uid=lea,ou=people,dc=acme,dc=example\nobjectClass: inetOrgPerson\nuid: lea\nmail: lea@ldap.example\ncn: Lea Roy\nsn: Roy\n';
  const files = {
    Keycloak: gzipSync(JSON.stringify(realm)),
    Auth0: auth0.map((one) => JSON.stringify(one)).join('\n'),
    'LDAP (LDIF)': ldif,
    'Another system (JSON)': JSON.stringify([{ login: 'jo', mail: 'jo@any.example', vorname: 'Jo' }]),
    Muster: JSON.stringify({
      orgs: [
        { orgId: home.id, org: { name: 'Acme' }, humanUsers: [{ userId: 'm-1', user: { userName: 'mia' } }] },
      ],
    }),
  };
  for (const [name, file] of Object.entries(files)) {
    const sent = await upload(owner, file);
    const review = await owner.get(sent.location);
    t.match(review.text, name, `${name}: ${plain(review.text).slice(-600)}`);
    const dry = await settled(owner, (await press(owner, review, '/run')).location);
    t.match(plain(dry.text), /Would be created 1/, `${name}: ${plain(dry.text).slice(-800)}`);
  }
});

t.test('problems of groups name the group, the line and what to do, in both steps', async (t) => {
  const acme = await makeHome(container, { name: 'Groups' });
  const german = await openConsole(opened, acme, { roles: ['ORG_OWNER'], language: 'de' });
  const profile = { displayName: 'Sales North' };
  await addGroup(container, { orgId: acme.id, profile, members: new Set(), editor });
  const groups = ['Sales North', 'Lab', 'Lab'].map((name, n) => ({ id: `g-${n}`, name }));
  const realm = JSON.stringify(
    { realm: 'acme', groups, users: [{ username: 'kim', enabled: true }] },
    undefined,
    1,
  );
  const at = `/console/orgs/${acme.id}/users/many`;
  const review = await german.get((await upload(german, realm, { at })).location);
  t.match(
    plain(review.text),
    / \/Lab 12 Die Datei hat diese Gruppe zweimal\. Entfernen Sie eine der beiden\. /,
  );
  const dry = await settled(
    german,
    (await press(german, review, '/run', { withoutCredentials: 'on' })).location,
  );
  t.match(
    plain(dry.text),
    / Sales North 6 Eine andere Gruppe hat diesen Namen\. Wählen Sie einen anderen, oder lassen Sie die Gruppe weg\. /,
  );
});

t.test('what cannot be used is said in words, and kept nowhere', async (t) => {
  const blocks = () => container.mongo.db.collection('stagedBlocks').countDocuments({});
  const before = await blocks();
  const cases: [string | Buffer, RegExp][] = [
    ['', /The file is empty/],
    [' \n\t ', /The file is empty/],
    [Buffer.from('PK\u0003\u0004xl/workbook.xml'), /Excel workbook/],
    [Buffer.alloc(8 * 2 ** 20 + 1, 'a'), /more than 8 MB/],
    [`email\n${'a@b.example\n'.repeat(50_001)}`, /50,000 lines/],
    [gzipSync(Buffer.alloc(40 * 2 ** 20, 'a')), /more than 8 MB/],
    [Buffer.from([0x1f, 0x8b, 1, 2, 3]), /no text/],
  ];
  for (const [file, words] of cases) {
    const refused = await upload(owner, file);
    t.equal(refused.status, 400);
    t.match(refused.text, words);
  }
  t.equal(await blocks(), before);
  const nobody = await owner.get((await upload(owner, 'a,b\n1,2\n')).location);
  t.equal(nobody.status, 400);
  t.match(nobody.text, 'Nobody can be found');
  t.notMatch(nobody.text, '/tmp', 'no path of this machine');
});

t.test('a file is of one person, one browser and one organization, for an hour, and sealed', async (t) => {
  const secret = uniqueName('very-secret');
  const { location } = await upload(owner, `email,password\n${secret}@x.example,Clear-Text-77\n`);
  t.equal((await owner.get(location)).status, 200);
  const other = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  t.equal((await other.get(location)).status, 404, 'another owner');
  const root = await openConsole(opened, foreign, { roles: ['IAM_OWNER'] });
  const own = await upload(root, 'email\na@b.example\n', { at: path });
  t.equal((await root.get(own.location)).status, 200);
  t.equal((await root.get(own.location.replace(home.id, foreign.id))).status, 404, 'another organization');
  t.equal((await owner.get(own.location)).status, 404);
  t.equal((await owner.get(location.replace(/\d+$/, '1'))).status, 404, 'another length');
  for await (const block of container.mongo.db.collection('stagedBlocks').find()) {
    t.notMatch(JSON.stringify(block), secret);
    t.notMatch(Buffer.from(block['data'].buffer).toString('latin1'), secret);
  }
  const second = await upload(owner, 'email\nb@c.example\n');
  t.equal((await owner.get(location)).status, 404, 'a person has one');
  t.equal((await owner.get(second.location)).status, 200);
  const blocks = await container.mongo.db
    .collection('stagedBlocks')
    .find({ _id: /^kept-/ as never })
    .toArray();
  t.ok(blocks.every(({ expires }) => expires <= new Date(clock.now().getTime() + 3_600_000)));
});

t.test('links go by mail to those without a password, after an import alone', async (t) => {
  const acme = await makeHome(container, { name: 'Links' });
  const sender = await openConsole(opened, acme, { roles: ['ORG_OWNER'] });
  const at = `/console/orgs/${acme.id}/users/many`;
  const cells = `email,password\nl1@links.example,\nl2@links.example,\nl3@links.example,${bcryptHash}\n`;
  const sent = await press(sender, await sender.get(at), '/cells', { cells });
  const review = await sender.get((sent.location ?? '').replace(baseUrl, ''));
  const dry = await settled(sender, (await press(sender, review, '/run')).location);
  t.notMatch(dry.text, '/links"', 'nobody is there yet');
  const real = await settled(sender, (await press(sender, dry, '/run')).location);
  const begun = await press(sender, real, '/links');
  t.equal(begun.status, 303);
  t.match((await sender.get((begun.location ?? '').replace(baseUrl, ''))).text, 'The links are being sent');
  // They are sent at once, and arrive in any order.
  const isSent = (name: string) => mailServer.to(`${name}@links.example`).length === 1;
  await until(async () => isSent('l1') && isSent('l2'));
  t.equal(mailServer.to('l3@links.example').length, 0, 'who has a password gets none');
});

t.test('an export of the organization, without secrets', async (t) => {
  const page = await owner.get(`/console/orgs/${home.id}/users/export`);
  const job = await press(owner, page, '/export');
  const ended = await settled(owner, job.location);
  const file = await owner.get(`${(job.location ?? '').replace(baseUrl, '')}/result`);
  t.match(ended.text, 'Download');
  const [org] = JSON.parse(file.text).orgs;
  t.equal(org.orgId, home.id);
  t.notMatch(file.text, 'hashedPassword');
});

t.test('hostile cells are text', async (t) => {
  const cells = 'email,name\n"<img src=x onerror=alert(1)>@x.example","=HYPERLINK(""http://x"")"\n';
  const review = await owner.get((await upload(owner, cells)).location);
  t.notMatch(review.text, '<img');
  const manager = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
  t.equal((await manager.get(path)).status, 403);
  t.notMatch((await manager.get(`/console/orgs/${home.id}/users`)).text, '/users/many');
});
