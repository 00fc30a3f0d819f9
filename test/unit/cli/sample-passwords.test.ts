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
