import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { UploadRules } from '#src/migration/convert/upload/convert-upload.js';
import { linesWith } from '#src/migration/convert/upload/person-lines.js';
import { readTable } from '#src/migration/convert/upload/read-table.js';
import {
  mostUploadBytes,
  readUpload,
  recognizeUpload,
} from '#src/migration/convert/upload/recognize-upload.js';
import { runUploadTask } from '#src/migration/convert/upload/run-upload-task.js';
import { doUploadTask } from '#src/migration/convert/upload/upload-tasks.js';
import { processorTime } from '../../support/processor-time.js';

/** Files that people upload: their encodings, what they are, their columns, and the thread that reads them. */

t.test('every encoding that Excel and others write', async (t) => {
  const text = 'Name;E-Mail\nÇelik Müller;m@x.example\n';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const files = {
    'UTF-8': Buffer.from(text),
    'UTF-8 with a mark': Buffer.from(`\uFEFF${text}`),
    'UTF-16LE with a mark': utf16,
    'UTF-16LE without a mark': Buffer.from(text, 'utf16le'),
    'UTF-16BE with a mark': Buffer.from(utf16).swap16(),
    'Windows-1252': Buffer.from(text, 'latin1'),
    gzip: gzipSync(Buffer.from(text, 'latin1')),
  };
  for (const [name, bytes] of Object.entries(files)) {
    t.equal(readUpload(bytes).toString().replace('\uFEFF', ''), text, name);
  }
});

t.test('what a file is', async (t) => {
  const files = {
    table: ['a,b\n1,2', 'mail\nx@y.z', '"{""a"":1}",b'],
    ldif: ['version: 1\ndn: uid=a', 'dn:: dWlkPWE=\nuid: a', 'dn: uid=a,dc=x'],
    muster: ['{"orgs":[]}', ' {\n "timeout": "5m", "dataOrgs": {}}', '{"data_orgs":{}}'],
    keycloak: ['{"realm":"a","users":[]}', '[{"username":"a","createdTimestamp":1}]'],
    auth0: ['{"user_id":"auth0|1"}\n', '[{"user_id":"google-oauth2|7"}]'],
    cognito: ['{"Users":[{"UserStatus":"CONFIRMED"}]}'],
    entra: ['{"value":[{"userPrincipalName":"a@b"}]}'],
    firebase: ['{"users":[{"localId":"1"}]}'],
    json: ['[{"mail":"a@x.example"}]', '{"a":1}\n{"a":2}', '{}'],
    kratos: ['[{"schema_id":"person","traits":{}}]'],
  };
  for (const [kind, texts] of Object.entries(files))
    for (const text of texts) t.equal(recognizeUpload(Buffer.from(text)), kind, text);
});

t.test('a table that is hostile takes little time and memory', async (t) => {
  const began = processorTime();
  const address = readTable(Buffer.from(`a@${'.'.repeat(1_000_000)}@,b\n1,2\n`));
  t.equal(address.addedLines, 0, 'a long cell is no address');
  const wide = `${Array.from({ length: 100_000 }, (_, n) => `a${n}`).join()}\n${'x\n'.repeat(100)}`;
  t.throws(() => readTable(Buffer.from(wide)), { message: /unreadable/ });
  t.ok(processorTime() - began < 800);
});

t.test('tables: what stands between cells, headings, and whom a line is about', async (t) => {
  for (const between of [',', ';', '\t', '|']) {
    const table = readTable(Buffer.from(`Name${between}E-Mail\n"Berg${between} Ada"${between}a@x.example\n`));
    t.equal(table.delimiter, between);
    t.same(
      table.columns.map(({ to }) => to),
      ['displayName', 'email'],
    );
    t.equal(table.whoAt(2), `Berg${between} Ada a@x.example`);
  }
  const ofExcel = readTable(Buffer.from('sep=;\r\nName;E-Mail\r\nAda;a@x.example\r\n'));
  t.same([ofExcel.delimiter, ofExcel.columns[1]?.to, ofExcel.whoAt(3)], [';', 'email', 'Ada a@x.example']);
  const headless = readTable(Buffer.from('Ada,a@x.example\nBob,b@x.example'));
  t.equal(headless.addedLines, 1);
  t.equal(headless.columns[1]?.to, 'email');
  const secret = readTable(Buffer.from('email,password\na@x.example,Secret-Word-1'));
  t.notMatch(secret.whoAt(2), 'Secret', 'a secret names nobody');
  t.equal(secret.whoAt(99), '');
  for (const broken of ['"', '"a\n', ',,,\n,,', '\n\n\n', 'a'.repeat(100_000)])
    readTable(Buffer.from(broken));
});

t.test('names of several words, which people and groups have', async (t) => {
  const text = Buffer.from(
    'a\n{"name":"Sales Northern"}\n{"name":"Sales North"}\nSales South Team,x\n"Sales South"',
  );
  const lines = linesWith(text, ['Sales North', 'sales south', 'Sales West', ' ', '(x)']);
  t.same(
    [...lines],
    [
      ['sales north', 3],
      ['sales south', 4],
    ],
  );
  // Each word of the file begins the name, which is not there.
  const began = processorTime();
  const hostile = Buffer.from(`${'a '.repeat(4_000_000)}b`);
  t.same([...linesWith(hostile, [`${'a '.repeat(150)}c`])], []);
  t.ok(processorTime() - began < 5_000);
});

t.test('a line is that of the whole name', async (t) => {
  const text = Buffer.from('email\njoanna@x.example\nanna@x.example\n"ANNA@y.example"\n');
  const lines = linesWith(text, ['anna@x.example', 'Anna@Y.example', 'nobody', '']);
  t.same(
    [...lines],
    [
      ['anna@x.example', 3],
      ['anna@y.example', 4],
    ],
  );
});

t.test('a large file holds the event loop of its process no longer than a small one', async (t) => {
  const rows = Array.from(
    { length: 40_000 },
    (_, n) => `p${n}@x.example,Given ${n},Family ${n},${'x'.repeat(80)}`,
  );
  const text = Buffer.from(`email,givenName,familyName,note\n${rows.join('\n')}`);
  const folder = t.testdir({});
  const options = { orgId: 'o', timeout: '1h', isPreview: true };
  const task = { task: 'convert', kind: 'table', text, options } as const;
  const longest = async (work: () => Promise<unknown>) => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await work();
    delay.disable();
    return delay.max;
  };
  const inside = await longest(() => doUploadTask({ ...task, options: { ...options, folder } }));
  let users: number | undefined;
  const outside = await longest(async () => {
    users = (await runUploadTask(task)).converted?.users;
  });
  t.equal(users, 40_000);
  t.ok(outside < inside / 2, `${outside / 1e6} ms instead of ${inside / 1e6} ms`);
  t.match(await runUploadTask({ task: 'read', bytes: Buffer.from('PK\u0003\u0004'), kind: undefined }), {
    fault: 'workbook',
  });
  t.match(await runUploadTask({ ...task, kind: 'keycloak', text: Buffer.from('{') }), {
    why: { id: 'brokenJson', params: { line: 1 } },
  });
});

t.test('a file that becomes too large is given up, and nothing stays behind', async (t) => {
  // Of this test alone: other processes convert files too.
  process.env['TMPDIR'] = t.testdir({});
  const left = async () =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('muster-upload-')).length;
  const before = await left();
  // Each cell names thousands of groups, and each of them becomes a membership.
  const cell = Array.from({ length: 4_000 }, (_, n) => `g${n % 1_000}-${n}`).join(';');
  const rows = Array.from({ length: 200 }, (_, n) => `p${n}@x.example,${cell}`);
  const text = Buffer.from(`email,groups\n${rows.join('\n')}`);
  t.ok(text.length < mostUploadBytes, `${text.length}`);
  const options = { orgId: 'o', timeout: '1h', isPreview: false };
  t.match(await runUploadTask({ task: 'convert', kind: 'table', text, options }), {
    why: { id: 'tooMuch' },
  });
  t.equal(await left(), before);
});

t.test('every error names the person or the group, its line and what is wrong', async (t) => {
  const base = t.testdir();
  const problemsOf = async (
    kind: 'json' | 'keycloak' | 'auth0' | 'kratos' | 'ldif' | 'table',
    text: string,
  ) => {
    const folder = await mkdtemp(join(base, 'task-'));
    const options = { orgId: 'o', timeout: '1h', isPreview: true, folder };
    const { converted, why } = await doUploadTask({
      task: 'convert',
      kind,
      text: Buffer.from(text),
      options,
    });
    t.equal(why, undefined);
    return converted?.problems.map(({ line, who, known }) => [line, who, known.id]);
  };
  const bad = 'x'.repeat(201);
  const realm = [
    '{"realm":"shop","groups":[',
    '{"id":"g1","name":"Sales","subGroups":["no"]},',
    '{"id":"g2","name":"Sales"},',
    '{"id":"g3","subGroups":[{"name":"Lost"}]},',
    `{"id":"g4","name":"${bad}"},`,
    '{"id":"has blanks","name":"Blanks"}],"users":[',
    '{"username":"ada","email":"no address","enabled":true},',
    '{"id":"has blanks","username":"bob","firstName":"Bob","enabled":true}]}',
  ];
  t.same(await problemsOf('keycloak', realm.join('\n')), [
    [2, '/Sales', 'subgroupNotObject'],
    [3, '/Sales', 'groupTwice'],
    [4, 'g3', 'groupUnnamed'],
    [4, 'g3', 'subgroupsLost'],
    [5, `/${bad}`.slice(0, 200), 'value'],
    [6, '/Blanks', 'identifier'],
    [7, 'ada', 'value'],
    [8, 'bob Bob', 'identifier'],
  ]);
  const people =
    '[{"userName":"ada","email":"no address","name":"Ada Lind"},\n{"email":"b@x.example","password":7},\n{"email":"c"}]';
  t.same(await problemsOf('json', people), [
    [1, 'ada Ada Lind', 'value'],
    [2, 'b@x.example', 'noUserName'],
    [3, 'c', 'noUserName'],
  ]);
  t.same(await problemsOf('auth0', `{"user_id":"auth0|${bad}","email":"a@x.example"}`), [
    [1, 'a@x.example', 'identifier'],
  ]);
  const traits = { email: 'k@x.example', name: { first: 'K' } };
  t.same(await problemsOf('kratos', JSON.stringify([{ id: 'no id', schema_id: 'x', traits }])), [
    [1, 'k@x.example', 'identifier'],
  ]);
  const entry = `dn: uid=ada,dc=x\nobjectClass: person\nuid: ada\ncn: Ada Lind\nmail: no address\n`;
  t.same(await problemsOf('ldif', entry), [[1, 'ada Ada Lind', 'value']]);
  const secret = '[{"email":"a@x.example","passwordHash":"$9$nobody","password":"Secret-Word-1"}]';
  t.notMatch(JSON.stringify(await problemsOf('json', secret)), /Secret|nobody/);
});

t.test('what is wrong with a file or a person has a name and parameters', async (t) => {
  const base = t.testdir();
  type Kind = 'table' | 'json' | 'fusionauth' | 'keycloak' | 'ldif';
  const task = async (kind: Kind, text: string, rules: UploadRules = {}) => {
    const folder = await mkdtemp(join(base, 'task-'));
    const options = { orgId: 'o', timeout: '1h', isPreview: true, folder, rules };
    return doUploadTask({ task: 'convert', kind, text: Buffer.from(text), options });
  };
  const wrong = {
    'email;email\na@b.example;c\n': { id: 'columnTwice', params: { name: 'email' } },
    'email,,x\na@b.example,b,c\n': { id: 'columnUnnamed', params: { place: 2 } },
    'email,name\n"a,b\n': { id: 'brokenTable' },
  };
  for (const [text, why] of Object.entries(wrong)) t.match(await task('table', text), { why });
  t.match(await task('json', '[{"a":1},'), { why: { id: 'brokenJson', params: { line: 1 } } });
  t.match(await task('json', 'no JSON'), { why: { id: 'noList' } });
  t.match(await task('keycloak', '[{"realm":"a","users":[]},{"realm":"b","users":[]}]'), {
    why: { id: 'severalRealms', params: { list: '"a", "b"' } },
  });
  t.match(await task('ldif', 'dn: uid=a\nuid: \0a\n'), { why: { id: 'brokenEntry' } });
  const factor = { twoFactor: { methods: [{ method: 'authenticator', secret: 'MDEyMzQ1Njc4OQ==' }] } };
  const user = { username: 'ada', email: 'ada@f.example', tenantId: 't', ...factor };
  const one = JSON.stringify({ users: [user] });
  const refused = await task('fusionauth', one, { secondFactors: 'refuse' });
  t.match(refused.converted, {
    users: 0,
    refused: 1,
    problems: [{ line: 1, known: { id: 'secondFactor' } }],
  });
  const linked = await task('fusionauth', one, { secondFactors: 'link' });
  t.match(linked.converted, { users: 1, lostFactors: 1, droppedHashes: 0 });
  const long = 'x'.repeat(201);
  const rows = `email,password\na@f.example,${long}\nno address,Correct-Horse-7\n`;
  const kept = await task('table', rows, { dropHashes: true });
  t.match(kept.converted, { users: 1, droppedHashes: 1, refused: 1 });
  t.match(kept.converted?.problems[0]?.known, { id: 'value', params: { rule: 'value.emailAddress' } });
  t.notMatch(JSON.stringify(kept), long, 'no password');
});
