import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import type { AppsScript, DirectoryPerson } from '../../support/docs/apps-script-worker.js';
import { filesIn } from '../../support/docs/guide-blocks.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';

/** The script of docs/guides/google-workspace.md, with stand-ins for the services of Google. */

const { baseUrl, orgId, env } = await startMusterOfReader(t, { workers: true });
const scim = `${baseUrl}/scim/v2/${orgId}`;
const files = filesIn(await readFile('docs/guides/google-workspace.md', 'utf8'));
const properties = { MUSTER_SCIM: scim, MUSTER_TOKEN: env.TOKEN };

/** One run of the script. @returns what it logged */
function sync(...pages: readonly (readonly DirectoryPerson[])[]): Promise<string[]> {
  const workerData: AppsScript = { code: files['Code.gs'] ?? '', call: 'syncUsers()', properties, pages };
  const worker = new Worker(new URL('../../support/docs/apps-script-worker.js', import.meta.url), {
    workerData,
  });
  return new Promise((done, fail) => worker.once('message', done).once('error', fail));
}

async function usersThere(): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${scim}/Users?sortBy=userName`, {
    headers: { authorization: `Bearer ${env.TOKEN}` },
  });
  const { Resources } = (await answer.json()) as { Resources: Record<string, unknown>[] };
  return Resources.filter(({ externalId }) => externalId !== undefined);
}

const person = (id: string, name: string, more: object = {}): DirectoryPerson => ({
  id,
  primaryEmail: `${name}@acme.example`,
  name: { givenName: name, familyName: 'Berg' },
  ...more,
});
const ada = person('g1', 'ada', {
  organizations: [{ primary: true, title: 'Engineer', department: 'Research' }],
  phones: [{ value: '+46 70 123', type: 'work' }],
});
const bo = person('g2', 'bo');

t.test('it adds, changes and deactivates the people of the Workspace', async (t) => {
  t.same(await sync([ada], [bo]), ['2 done, 0 failed']);
  const first = await usersThere();
  t.match(first, [
    {
      userName: 'ada@acme.example',
      externalId: 'g1',
      active: true,
      title: 'Engineer',
      phoneNumbers: [{ value: '+4670123', type: 'work' }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Research' },
    },
    { userName: 'bo@acme.example', externalId: 'g2', active: true },
  ]);

  t.same(await sync([ada, bo]), ['2 done, 0 failed']);
  t.same(await usersThere(), first, 'nothing changes, not even the time of the last change');

  const married = { ...ada, primaryEmail: 'ada.lind@acme.example' };
  t.same(await sync([married, { ...bo, suspended: true }]), ['2 done, 0 failed']);
  t.match(await usersThere(), [
    { id: first[0]?.['id'], userName: 'ada.lind@acme.example' },
    { id: first[1]?.['id'], active: false },
  ]);

  t.same(await sync([bo]), ['2 done, 0 failed']);
  t.match(await usersThere(), [{ active: false }, { active: true }], 'Ada is gone, and Bo is back');
});

t.test('it takes a user over that was deleted and made anew, and never one of another person', async (t) => {
  const [, before] = await usersThere();
  t.same(await sync([person('g3', 'bo')]), ['1 done, 0 failed']);
  t.match(await usersThere(), [{ active: false }, { id: before?.['id'], externalId: 'g3', active: true }]);

  const moved = person('g3', 'bo.ek');
  await sync([person('g4', 'bo'), moved]);
  t.same(await sync([person('g4', 'bo'), moved]), ['2 done, 0 failed']);
  const names = (await usersThere()).map(({ userName, externalId }) => `${userName} ${externalId}`);
  t.same(names.sort(), ['ada.lind@acme.example g1', 'bo.ek@acme.example g3', 'bo@acme.example g4']);
});

t.test('it stops before it deactivates many, and tells who failed', async (t) => {
  const many = Array.from({ length: 24 }, (_, n) => person(`m${n}`, `many${n}`));
  t.same(await sync(many), ['26 done, 0 failed'], 'with the two who are gone');
  t.same(await sync([]), ['failed: 24 people would be deactivated. Nothing was done.']);
  const [counted, failed = ''] = await sync([...many, person('x', 'x'.repeat(250))]);
  t.equal(counted, '24 done, 1 failed');
  t.match(failed, /^failed: x+@acme\.example: /);
});
