import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startBulkClients } from './bulk-clients.js';
import { fire } from './load.js';
import { markdownTable } from './markdown.js';
import { bodyOf, post } from './measures/import-requests.js';
import { smallImports } from './measures/small-imports.js';
import { firstNumbers, scimUser } from './people.js';
import { type Kinds, processorTimes, storeKinds } from './process-kinds.js';
import { startProgram, stopAll } from './processes.js';
import type { Setting } from './setting.js';
import { countUsers, scimTarget } from './target.js';

/**
 * Prints the processor time that one new user costs in each process: by Bulks, by single creates, and by small and large imports. It takes the
 * processes of this version, or of an earlier one with `--folder`. Clients do not count.
 */

const secondsOfBulks = 6;
const secondsOfCreates = 5;
const secondsOfImports = 6;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string', default: '.' },
      rounds: { type: 'string', default: '3' },
      imported: { type: 'string', default: '20000' },
      /** Measures only what has this in its name. */
      only: { type: 'string', default: '' },
    },
  });
  const folder = resolve(values.folder);
  const imported = Number(values.imported);
  const settings = pathToFileURL(join(folder, 'bench/setting.ts')).href;
  const { openSetting } = (await import(settings)) as { openSetting(): Promise<Setting> };
  const setting = await openSetting();
  const [server, workers] = ['src/server.js', 'workers/main.js'].map((file) => join(folder, 'dist', file));
  const kinds: Kinds = {
    api: (line) => line.includes(` ${server}`),
    worker: (line) => line.includes(` ${workers}`),
    ...storeKinds,
  };
  const { env, baseUrl, logFolder, organization, client } = setting;
  const target = scimTarget(baseUrl, organization.id, client.personalAccessToken);
  const rows: string[][] = [];
  try {
    await startProgram({ name: 'api', args: [server ?? ''], env, logFolder, readyUrl: `${baseUrl}/readyz` });
    await startProgram({ name: 'worker', args: [workers ?? ''], env, logFolder });
    const measure = async (what: string, work: () => Promise<unknown>) => {
      if (!what.includes(values.only)) return;
      for (let round = 0; round <= Number(values.rounds); round++) {
        const users = await countUsers(target);
        const before = await processorTimes(kinds);
        const started = performance.now();
        await work();
        const seconds = (performance.now() - started) / 1_000;
        const after = await processorTimes(kinds);
        const added = (await countUsers(target)) - users;
        // The first round warms up.
        if (round === 0) continue;
        const each = [...after].map(([kind, ms]) => (ms - (before.get(kind) ?? 0)) / added);
        const sum = each.reduce((all, ms) => all + ms, 0);
        rows.push([what, (added / seconds).toFixed(0), ...[...each, sum].map((ms) => ms.toFixed(3))]);
      }
    };
    let firstNumber: number = firstNumbers.besideReads;
    for (const inFlight of [4, 16]) {
      const clients = startBulkClients(target, { inFlight, firstNumber });
      firstNumber += 100_000;
      await measure(`Bulk of 100, ${inFlight} in flight`, async () => {
        clients.begin();
        await pause(secondsOfBulks * 1_000);
        await clients.end();
      });
      clients.close();
    }
    let number: number = firstNumbers.scim;
    const headers = { 'content-type': 'application/scim+json' };
    const next = () => {
      number += 1;
      return target.shot({ method: 'POST', path: '/Users', headers, body: JSON.stringify(scimUser(number)) });
    };
    await measure('create, 16 in flight', () =>
      fire({ url: baseUrl, connections: 16, next }, secondsOfCreates),
    );
    for (const size of [10, 100]) {
      const call = smallImports(setting, size);
      await measure(`import of ${size} a call, 4 in flight`, () => fire(call, secondsOfImports));
    }
    let imports = 0;
    await measure(`import of ${imported.toLocaleString('en')}`, () => {
      imports += 1;
      const pieces = bodyOf(organization.id, imported, `time-${imports}`);
      return post({ setting }, { to: 'import', pieces, expected: `"created":${imported},` });
    });
    console.log(markdownTable([['ms of one user', 'users/s', ...Object.keys(kinds), 'sum'], ...rows]));
  } finally {
    await stopAll();
    await setting.close();
  }
}

await main();
