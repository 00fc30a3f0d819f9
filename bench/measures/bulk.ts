import { newUser } from '#src/people/users/new-user.js';
import { writeNewUsers } from '#src/people/users/write-new-users.js';
import { startBulkClients } from '../bulk-clients.js';
import { compareP95, compareRates, type Pace } from '../compare.js';
import { type Load, median } from '../load.js';
import { organizationOf } from '../load-users.js';
import { firstNumbers, profileOf, scimUser } from '../people.js';
import { startWorker } from '../programs.js';
import { judged, milliseconds, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { type ScimTarget, scimTarget } from '../target.js';

const connections = 8;
const size = 100;
const bulksInFlight = 16;
/** Users of the organization that reads beside the Bulks. */
const neighbours = 1_000;
/** More transactions per second than any engine here achieves. */
const readyPerSecond = 120;
const headers = { 'content-type': 'application/scim+json' };
let number: number = firstNumbers.bulk;
let firstOfBulks: number = firstNumbers.besideReads;
const nextUser = () => {
  number += 1;
  return scimUser(number);
};

/**
 * Users per second of Bulk requests of 100 creates (API and one worker), compared with single creates (API). Also
 * compared with the bare write of the same documents, which no request can exceed.
 */
export async function measureBulk(setting: Setting, api: ScimTarget, pace: Pace): Promise<Row[]> {
  const load = (path: string, body: () => unknown) => ({
    url: api.url,
    connections,
    next: () => api.shot({ method: 'POST', path, headers, body: JSON.stringify(body()) }),
  });
  const result = await compareRates(load('/Bulk', bulkRequest), load('/Users', nextUser), pace);
  const row = {
    measure: 'SCIM Bulk of 100 creates',
    ours: rate(result.ours * size, 'users/s'),
    peer: `single creates: ${rate(result.peer, 'users/s')}`,
  };
  const bare: number[] = [];
  for (let round = 0; round < pace.rounds; round++) bare.push(await writeBare(setting, pace.seconds));
  const ceiling = { ...row, peer: `bare insertMany of users and events: ${rate(median(bare), 'users/s')}` };
  return [
    judged(row, result.ratio * size, { atLeast: 5 }),
    judged(ceiling, (result.ours * size) / median(bare), { atLeast: 0.6 }),
    await measureNeighbour(setting, api, { pace, workers: 'one worker' }),
    await withSecondWorker(setting, () => measureNeighbour(setting, api, { pace, workers: 'two workers' })),
  ];
}

async function withSecondWorker<T>(setting: Setting, work: () => Promise<T>): Promise<T> {
  const worker = await startWorker(setting, 'second-worker');
  return work().finally(() => worker.stop());
}

/** Reads of another organization while Bulks are in flight, beside quiet times. */
async function measureNeighbour(
  setting: Setting,
  api: ScimTarget,
  { pace, workers }: { pace: Pace; workers: string },
): Promise<Row> {
  const { id } = await organizationOf(setting.container, neighbours);
  const neighbour = scimTarget(setting.baseUrl, id, setting.client.personalAccessToken);
  const next = neighbour.shot({ method: 'GET', path: '/Users?count=1' });
  const quiet: Load = { url: neighbour.url, connections: 1, next };
  const clients = startBulkClients(api, { inFlight: bulksInFlight, firstNumber: firstOfBulks });
  firstOfBulks += 100_000;
  const meanwhile = () => {
    clients.begin();
    return () => clients.end();
  };
  const busy: Load = { ...quiet, meanwhile };
  const { ours, peer, ratio } = await compareP95(busy, quiet, pace).finally(() => clients.close());
  return judged(
    {
      measure: `GET of another organization beside ${bulksInFlight} Bulks, ${workers}, p95`,
      ours: milliseconds(ours),
      peer: `quiet: ${milliseconds(peer)}`,
    },
    ratio,
    { atMost: 2 },
  );
}

/**
 * Users per second of transactions of 100 users and their events. The number of parallel transactions is the number of
 * connections.
 */
async function writeBare({ container, organization }: Setting, seconds: number): Promise<number> {
  const ready = await Promise.all(
    Array.from({ length: readyPerSecond * seconds }, () =>
      Promise.all(
        Array.from({ length: size }, () => {
          number += 1;
          return newUser(container, organization, { profile: profileOf(number) });
        }),
      ),
    ),
  );
  const started = performance.now();
  let written = 0;
  const write = async () => {
    while (performance.now() - started < seconds * 1000) {
      const added = ready.pop();
      if (added === undefined) throw new Error('All documents are written: raise readyPerSecond');
      await container.mongo.transaction((transaction) =>
        writeNewUsers(container, { orgId: organization.id, added, editor }, transaction),
      );
      written += size;
    }
  };
  await Promise.all(Array.from({ length: connections }, write));
  return written / ((performance.now() - started) / 1000);
}

function bulkRequest() {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: Array.from({ length: size }, (_, i) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `u${i}`,
      data: nextUser(),
    })),
  };
}
