import { eventIndexes } from '#src/audit/events.store.js';
import { userIndexes } from '#src/people/queries/user-indexes.js';
import { compareRates, type Pace } from '../compare.js';
import type { Load, Shot } from '../load.js';
import { loadUsers } from '../load-users.js';
import { firstNumbers, profileOf, scimUser } from '../people.js';
import { startBareFastify } from '../programs.js';
import { compared, judged, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import type { ScimTarget } from '../target.js';

const connections = 16;
const asked = { atLeast: 0.6 };
const transaction = 'two inserts in a transaction';
/**
 * The number of users that reads choose from. Their numbers start at 0. The numbers of created users are far higher.
 */
const readable = 2_000;
/** The number of different users that are read in turn. */
const reads = 500;
let number: number = firstNumbers.scim;

/** SCIM calls compared with bare routes that make one equivalent MongoDB call each. */
export async function measureScim(
  setting: Setting,
  targets: { ours: ScimTarget; withAccessToken: ScimTarget },
  pace: Pace,
): Promise<Row[]> {
  await loadUsers(setting.container, setting.organization, readable);
  await createCollectionsOfPeer(setting);
  const peer = await startBareFastify(setting);
  const bare = (next: readonly Shot[] | (() => Shot)): Load => ({ url: peer.url, connections, next });
  const ours = (next: readonly Shot[] | (() => Shot), { url, shot } = targets.ours): Load => ({
    url,
    connections,
    next: typeof next === 'function' ? () => shot(next()) : next.map(shot),
  });
  const ids = await idsOf(setting);
  const person = () => profileOf(Math.floor(Math.random() * readable));
  const anyId = () => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const several = (path: () => string) => Array.from({ length: reads }, () => get(path()));
  const json = { 'content-type': 'application/json' };
  const get = (path: string): Shot => ({ method: 'GET', path });
  const post = (path: string): Shot => {
    number += 1;
    return { method: 'POST', path, headers: json, body: JSON.stringify(scimUser(number)) };
  };
  const cases: [measure: string, ours: Load, peer: Load, call: string][] = [
    [
      'SCIM get by id',
      ours(several(() => `/Users/${anyId()}`)),
      bare(several(() => `/users/${anyId()}`)),
      'findOne',
    ],
    [
      'SCIM get by id, access token',
      ours(
        several(() => `/Users/${anyId()}`),
        targets.withAccessToken,
      ),
      bare(several(() => `/users/${anyId()}`)),
      'findOne',
    ],
    ['SCIM list of 100', ours([get('/Users?count=100')]), bare([get('/users')]), 'find, limit 100'],
    [
      'SCIM userName eq',
      ours(several(() => `/Users?filter=${encodeURIComponent(`userName eq "${person().userName}"`)}`)),
      bare(several(() => `/by-user-name/${person().userName}`)),
      'findOne',
    ],
    ['SCIM create, no password', ours(() => post('/Users')), bare(() => post('/users')), 'insertOne'],
    [
      'SCIM create, no password',
      ours(() => post('/Users')),
      bare(() => post('/users-with-events')),
      transaction,
    ],
  ];
  try {
    const rows: Row[] = [];
    for (const [measure, a, b, call] of cases) {
      const result = await compareRates(a, b, pace);
      const row = {
        measure,
        ours: rate(result.ours),
        peer: `bare Fastify, ${call}: ${rate(result.peer)}`,
      };
      rows.push(call === transaction ? compared(row, result.ratio) : judged(row, result.ratio, asked));
    }
    return rows;
  } finally {
    await peer.stop();
  }
}

async function idsOf({ container, organization }: Setting): Promise<string[]> {
  const { users } = await container.users.page(organization.id, {
    sort: { field: '_id', direction: 1 },
    skip: 0,
    limit: readable,
  });
  return users.map(({ id }) => id);
}

/** Creates the peer's collections with the product's indexes. */
async function createCollectionsOfPeer({ container: { mongo } }: Setting): Promise<void> {
  for (const [name, { indexes }] of [
    ['benchUsers', userIndexes],
    ['benchEvents', eventIndexes],
  ] as const) {
    await mongo.db.createCollection(name);
    await mongo.db.collection(name).createIndexes(indexes);
  }
}
