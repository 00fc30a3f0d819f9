import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { AdminClient, ApiRequest } from '#src/cli/base/admin-client.js';
import { samplePasswords } from '#src/cli/jobs/sample-passwords.js';

t.test('samples are sent once, because each counts', async (t) => {
  const path = join(t.testdir(), 'samples');
  await writeFile(path, 'anna secret\n');
  const sent: ApiRequest[] = [];
  const read: AdminClient['read'] = async (_path, request = {}) => {
    sent.push(request);
    return { status: 200, body: { outcomes: ['confirmed'] } };
  };
  const unused = async () => t.fail('Nothing else is sent') as never;
  const client: AdminClient = { baseUrl: '', connect: unused, insist: unused, read };
  const quiet = () => {};
  const output = { print: quiet, note: quiet, result: quiet, progress: quiet } as never;
  t.match(await samplePasswords(client, { path, orgId: undefined }, output), { areConfirmed: true });
  t.match(sent, [{ method: 'POST', tries: 1 }]);
});

t.test('a sample that the service cannot take stops no other', async (t) => {
  const path = join(t.testdir(), 'samples');
  const long = 'x'.repeat(100_000);
  await writeFile(path, `anna ${long}\n${long}@example.com secret\nbea right\ncid wrong\n`);
  const names: string[] = [];
  const read: AdminClient['read'] = async (_path, request = {}) => {
    const { samples } = JSON.parse(String(request.body?.()));
    names.push(...samples.map(({ loginName }: { loginName: string }) => loginName));
    return { status: 200, body: { outcomes: ['confirmed', 'refused'] } };
  };
  const unused = async () => t.fail('Nothing else is sent') as never;
  const client: AdminClient = { baseUrl: '', connect: unused, insist: unused, read };
  const printed: string[] = [];
  const quiet = () => {};
  const output = {
    print: (text: string) => printed.push(text),
    note: quiet,
    result: quiet,
    progress: quiet,
  } as never;
  const { counts, areConfirmed } = await samplePasswords(client, { path, orgId: undefined }, output);
  t.same([counts, areConfirmed], [{ tooLong: 1, unknown: 1, confirmed: 1, refused: 1 }, false]);
  t.same(names, ['bea', 'cid']);
  const lines = printed.filter((line) => line.startsWith('line '));
  t.same(
    lines.map((line) => line.split(': ').slice(0, 2).join()),
    ['line 1,tooLong', 'line 2,unknown', 'line 4,refused'],
    'in the order of the file',
  );
  t.ok(printed.join().length < 2_000, 'a long name is cut');
});
