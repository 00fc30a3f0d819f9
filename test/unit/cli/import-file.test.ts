import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { openImportFile } from '#src/cli/jobs/import-file/open-import-file.js';
import { placedInFile } from '#src/cli/jobs/import-file/place-in-file.js';
import { streamImport } from '#src/cli/jobs/import-stream.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';

const folder = mkdtempSync(join(tmpdir(), 'muster-import-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const nowhere = { write: () => true };
const output = createOutput({ stdout: nowhere, stderr: nowhere }, false);

type Flags = Parameters<typeof openImportFile>[1];

async function sent(content: string | Buffer, flags: Flags = {}) {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const file = await openImportFile(path, flags);
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamImport(file, output)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { file, bytes, text: bytes.toString() };
}

const bodyOf = async (content: string | Buffer, flags: Flags = {}) =>
  JSON.parse((await sent(content, flags)).text);

const acme = { orgId: 'acme', org: { name: 'Acme' }, humanUsers: [{ userId: 'a' }, { userId: 'b' }] };
const exported = `{"orgs":[\n${JSON.stringify(acme)}\n]}\n`;
const timeout = '24h';

t.test('what an export wrote, an array and a body become the same import', async (t) => {
  const expected = { timeout, dataOrgsv1: { orgs: [acme] } };
  t.same(await bodyOf(exported), expected);
  t.same(await bodyOf(JSON.stringify([acme], undefined, 2)), expected);
  t.same(await bodyOf(`\ufeff \n${exported}`), expected, 'with a byte order mark');
  t.same(await bodyOf(`\ufeff${JSON.stringify(expected)}`), expected);
  t.same(await bodyOf(exported, { timeout: '2m', dryRun: true, strict: true, update: true }), {
    ...{ timeout: '2m', dryRun: true, strict: true, update: true },
    dataOrgsv1: { orgs: [acme] },
  });
  const body = JSON.stringify({ data_orgs: { orgs: [] }, timeout: '9m' });
  t.equal((await sent(body)).text, body, 'a body is sent as it is');
  t.same(await bodyOf(body, { strict: true }), { strict: true, ...JSON.parse(body) });
  const updating = JSON.stringify({ update: true, data_orgs: { orgs: [] }, timeout: '9m' });
  t.equal((await sent(updating)).text, updating, 'a body may begin with the option');
});

t.test('compressed files', async (t) => {
  const plain = await bodyOf(exported);
  t.same(await bodyOf(gzipSync(exported)), plain);
  t.same(await bodyOf(gzipSync(`\ufeff${exported}`)), plain, 'with a byte order mark inside');
  const halves = [exported.slice(0, 30), exported.slice(30)].map((part) => gzipSync(part));
  t.same(await bodyOf(Buffer.concat(halves)), plain, 'of several members');
  const torn = gzipSync(JSON.stringify({ orgs: Array.from({ length: 20_000 }, () => Math.random()) }));
  await t.rejects(sent(torn.subarray(0, -2_000)), { message: /file is not a whole gzip file$/ });
  for (const more of ['more', '\0\0{"orgs":[]}']) {
    await t.rejects(sent(Buffer.concat([gzipSync(exported), Buffer.from(more)])), {
      message: /file is not a whole gzip file$|goes on after the end of the gzip text$/,
    });
  }
  const damaged = gzipSync(exported);
  damaged[damaged.length - 6] = (damaged.at(-6) ?? 0) ^ 1;
  await t.rejects(sent(damaged), { message: /file is not a whole gzip file$/ }, 'whose checksum is wrong');
  const bomb = gzipSync(`{"orgs":[${' '.repeat(64 * 2 ** 20)}]}`);
  await t.rejects(sent(bomb), { message: /file becomes more than 200 times as long/ });
});

t.test('files that zstd compressed', async (t) => {
  if ((await findProgram('zstd')) === undefined) return notRun(t, 'There is no program zstd');
  const packed = (text: string) => spawnSync('zstd', ['-cq'], { input: text, maxBuffer: 2 ** 24 }).stdout;
  t.same(await bodyOf(packed(exported)), await bodyOf(exported));
  const long = JSON.stringify({ orgs: Array.from({ length: 50_000 }, () => Math.random()) });
  t.equal((await sent(packed(long))).text.length, long.length + '{"timeout":"24h","dataOrgsv1":}'.length);
  await t.rejects(sent(packed(long).subarray(0, -2_000)), { message: /file is not a whole zstd file/ });
  const damaged = packed(exported);
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  await t.rejects(sent(damaged), { message: /file is not a whole zstd file/ }, 'whose checksum is wrong');
  await t.rejects(sent(packed(`{"orgs":[${' '.repeat(64 * 2 ** 20)}]}`)), { message: /200 times as long/ });
  const { PATH } = process.env;
  t.teardown(() => Object.assign(process.env, { PATH }));
  process.env['PATH'] = folder;
  await t.rejects(sent(Buffer.from('28b52ffd00', 'hex')), {
    message: /Install the program zstd, or unpack the file first$/,
  });
});

t.test('compressed files in compressed files are unpacked once, and then refused', async (t) => {
  const refused = { message: /is no import. Expected: / };
  const zeros = Buffer.alloc(64 * 2 ** 20);
  // Each layer alone becomes less than 200 times as long at the end.
  let nested = gzipSync(zeros);
  for (let layer = 0; layer < 4; layer++) nested = gzipSync(nested);
  await t.rejects(sent(nested), refused);
  await t.rejects(sent(gzipSync(gzipSync(exported))), refused, 'also if an import is inside');
  if ((await findProgram('zstd')) === undefined) return notRun(t, 'There is no program zstd');
  const packed = (given: string | Buffer) =>
    spawnSync('zstd', ['-cq'], { input: given, maxBuffer: 2 ** 24 }).stdout;
  await t.rejects(sent(packed(packed(zeros))), refused);
  await t.rejects(sent(packed(gzipSync(exported))), refused);
  await t.rejects(sent(gzipSync(packed(exported))), refused);
  const layers = Buffer.concat(Array.from({ length: 64 }, () => packed(' '.repeat(2 ** 20))));
  await t.rejects(
    sent(Buffer.concat([packed('{"orgs":['), layers])),
    { message: /200 times as long/ },
    'a bomb of many small frames',
  );
  const members = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(' '.repeat(2 ** 20))));
  await t.rejects(
    sent(Buffer.concat([gzipSync('{"orgs":['), members])),
    { message: /200 times as long/ },
    'and of many small members',
  );
});

t.test('lines are organizations and records, and stay on their lines', async (t) => {
  const record = (orgId: string, list: string, userId: unknown) =>
    JSON.stringify({ orgId, list, record: userId });
  const lines = [
    JSON.stringify({ orgId: 'a', org: { name: 'A' } }),
    record('a', 'humanUsers', 1),
    record('a', 'human_users', 2),
    '',
    record('a', 'machineUsers', 3),
    record('a', 'humanUsers', 4),
    JSON.stringify(acme),
    ` {"record" : {"x": "}\\"" } ,"list":"groups" , "org_id":"b"}\r`,
  ];
  const orgs = [
    { orgId: 'a', org: { name: 'A' }, humanUsers: [1, 2], machineUsers: [3] },
    { orgId: 'a', org: { name: 'A' }, humanUsers: [4] },
    acme,
    { orgId: 'b', groups: [{ x: '}"' }] },
  ];
  for (const end of ['', '\n', '\n\n']) {
    t.same(await bodyOf(lines.join('\n') + end), { timeout, dataOrgsv1: { orgs } });
  }
  t.same(await bodyOf(gzipSync(lines.join('\n')), { dryRun: true }), {
    ...{ timeout, dryRun: true },
    dataOrgsv1: { orgs },
  });
  const { text } = await sent(lines.join('\n'));
  for (const [line, word] of [
    [2, '1'],
    [5, '3'],
    [6, '4'],
    [7, '"userId":"b"'],
    [8, '"x"'],
  ] as const) {
    t.match(text.split('\n')[line - 1], word, `line ${line}`);
  }
  t.same(await bodyOf(JSON.stringify(acme)), { timeout, dataOrgsv1: { orgs: [acme] } }, 'one organization');
  const notUtf8 = Buffer.concat([
    Buffer.from('{"orgId":"a","list":"humanUsers","record":"'),
    Buffer.of(0xe9),
    Buffer.from('"}'),
  ]);
  t.ok((await sent(notUtf8)).bytes.includes(Buffer.of(0xe9)), 'a record goes out as it is');
});

t.test('an organization on one long line is not held in memory as a whole', async (t) => {
  const long = {
    orgId: 'long',
    humanUsers: Array.from({ length: 60_000 }, (_, n) => ({ userId: `${n}`, more: 'x'.repeat(90) })),
  };
  const lines = [
    JSON.stringify(acme),
    JSON.stringify(long),
    JSON.stringify({ orgId: 'c', list: 'groups', record: 1 }),
  ];
  t.same((await bodyOf(lines.join('\n'))).dataOrgsv1.orgs, [acme, long, { orgId: 'c', groups: [1] }]);
});

t.test('a line that is neither is refused with its number', async (t) => {
  const good = JSON.stringify({ orgId: 'a', list: 'groups', record: {} });
  const bad = [
    '{"orgId":"a"',
    '[]',
    'null',
    '{"humanUsers":[]}',
    '{"orgId":7,"humanUsers":[]}',
    '{"orgId":"a","orgId":"b","list":"groups","record":1}',
    '{"orgId":"a","list":"shoes","record":{}}',
    '{"orgId":"a","record":{}}',
    '{"orgId":"a","list":"groups","record":{},"more":1}',
    '{"orgId":"a","list":"groups","record":}',
    '{"orgId":"a","list":"groups","record":{}} {}',
    '{"orgId":"a","list":"groups","record":{]}',
  ];
  for (const line of bad) {
    await t.rejects(
      sent(`${good}\n\n${line}\n${good}\n`),
      {
        message: /^Line 3 of \S+ is neither an organization, such as .*, nor a record, such as /,
      },
      line,
    );
  }
});

t.test('records of an organization follow its line with org', async (t) => {
  const record = (orgId: string) => `{"orgId":"${orgId}","list":"groups","record":{}}\n`;
  for (const first of [
    '{"orgId":"a","org":{"name":"A"}}\n',
    '{"orgId":"a","org":{"name":"A"},"groups":[]}\n{"orgId":"b"}\n',
  ])
    await t.rejects(sent(`${first}${record('b')}${record('a')}`), {
      message: /^Line \d of .*: other organizations stand between the records of "a" and its line with org$/,
    });
  t.equal((await bodyOf(`${record('a')}${record('b')}${record('a')}`)).dataOrgsv1.orgs.length, 3);
});

t.test('what is no import is refused with what is expected', async (t) => {
  const others = [
    '',
    'id,name\n1,Ada\n',
    '<xml/>',
    '"orgs"',
    '{"users":[]}',
    '{orgs:[]}',
    'PK\u0003\u0004',
    '{"__proto__":1}',
  ];
  for (const content of others) {
    await t.rejects(sent(content), {
      message: /is no import. Expected: the body of an import, what muster export wrote, /,
    });
  }
  await t.rejects(sent(Buffer.from(`\ufeff${exported}`, 'utf16le')), { message: /is UTF-16/ });
  await t.rejects(sent('{"timeout":"1m"}', { timeout: '1m' }), { message: /names its own timeout/ });
  await t.rejects(openImportFile(folder, {}), { message: /is no file$/ });
});

t.test('errors tell the place in the file', async (t) => {
  for (const [content, flags] of [
    [exported, {}],
    [`\ufeff${exported}`, { strict: true }],
    [`\ufeff${JSON.stringify({ timeout: '1m', dataOrgs: { orgs: [acme] } })}`, { dryRun: true }],
    [JSON.stringify([acme]), {}],
  ] as const) {
    const { file, bytes } = await sent(content, flags);
    const position = bytes.indexOf('{"userId":"b"}');
    const placed = placedInFile({ line: 2, position }, file);
    t.same(placed, { line: 2, position: Buffer.from(content).indexOf('{"userId":"b"}') });
  }
  const { file } = await sent(JSON.stringify(acme));
  t.same(placedInFile({ line: 1, position: 99 }, file), { line: 1 }, 'of lines: the line');
});
