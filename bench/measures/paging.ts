import type { SortPosition } from '#src/platform/mongo/read-sorted.js';
import { encodeCursor } from '#src/scim/list/cursor.js';
import { compileListQuery } from '#src/scim/list/list-query.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { compareP95, type Pace } from '../compare.js';
import type { Load } from '../load.js';
import { organizationOf } from '../load-users.js';
import { digits, profileOf, scimUser } from '../people.js';
import { compared, judged, milliseconds, type Row } from '../report.js';
import type { Setting } from '../setting.js';
import { type ScimTarget, scimTarget } from '../target.js';

const connections = 2;
const asked = { atMost: 1.5 };
const sorts = [
  undefined,
  'userName',
  'name.familyName',
  'name.givenName',
  'emails',
  'meta.created',
  'meta.lastModified',
];
/** The pages of a side begin at positions within so many users. */
const spread = 1_000;
const writers = 2;
const pauseMs = 50;

/**
 * Pages by cursor at the end of a list beside pages at its start, lists while users are written beside quiet lists, and an `or` over
 * five attributes beside one of its terms.
 */
export async function measurePaging(
  setting: Setting,
  { token, users, pace }: { token: string; users: number; pace: Pace },
): Promise<Row[]> {
  const { id: orgId } = await organizationOf(setting.container, users);
  const target = scimTarget(setting.baseUrl, orgId, token);
  // A round of one second has some hundred pages.
  const field: Field = { setting, orgId, users, target, pace: { ...pace, seconds: 1, warmUpSeconds: 1 } };
  const rows: Row[] = [];
  for (const sortBy of sorts) {
    for (const sortOrder of ['ascending', 'descending']) {
      const parameters = { ...(sortBy !== undefined && { sortBy }), sortOrder };
      const name = `cursor, by ${sortBy ?? 'id'} ${sortOrder}`;
      rows.push(await endBesideStart(field, name, parameters));
    }
  }
  rows.push(
    await endBesideStart(field, 'cursor, filter that reads every user', { filter: 'title co "gin"' }),
  );
  rows.push(await writesBesideQuiet(field, 'first page', '/Users?count=100'));
  rows.push(await writesBesideQuiet(field, 'total alone', '/Users?count=0'));
  rows.push(await unionBesideTerm(field));
  return rows;
}

interface Field {
  readonly setting: Setting;
  readonly orgId: string;
  readonly users: number;
  readonly pace: Pace;
  readonly target: ScimTarget;
}

async function endBesideStart(
  field: Field,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Row> {
  const { setting, orgId, users } = field;
  const query = compileListQuery(parameters, userSchema);
  const { field: sortField, direction } = query.sort;
  const load = async (from: 'start' | 'end'): Promise<Load> => {
    const turned = direction === 1 ? (-1 as const) : (1 as const);
    const order = { field: sortField, direction: from === 'start' ? direction : turned };
    const positions: SortPosition[] = [];
    for (let skip = 200; skip < spread; skip += 100) {
      const { last } = await setting.container.users.page(orgId, { sort: order, skip, limit: 1 });
      if (last !== undefined) positions.push(last);
    }
    const cursors = positions.map((position) =>
      encodeCursor({ position, ...(query.filter && { total: users }) }, { orgId, noun: 'user', query }),
    );
    return listLoad(field, (n) => ({
      ...parameters,
      count: '100',
      cursor: cursors[n % cursors.length] ?? '',
    }));
  };
  const { ours, peer, ratio } = await compareP95(await load('end'), await load('start'), field.pace);
  return judged(
    {
      measure: `${name}: page at the end, p95 at ${users.toLocaleString('en')} users`,
      ours: milliseconds(ours),
      peer: `at the start: ${milliseconds(peer)}`,
    },
    ratio,
    asked,
  );
}

async function writesBesideQuiet(field: Field, name: string, path: string): Promise<Row> {
  const { users, target, pace } = field;
  const quiet: Load = { url: target.url, connections, next: target.shot({ method: 'GET', path }) };
  const written: Load = { ...quiet, meanwhile: () => keepWriting(field) };
  const { ours, peer, ratio } = await compareP95(written, quiet, pace);
  return judged(
    {
      measure: `${name} while users are added and removed, p95 at ${users.toLocaleString('en')} users`,
      ours: milliseconds(ours),
      peer: `quiet: ${milliseconds(peer)}`,
    },
    ratio,
    asked,
  );
}

/** Adds and removes users, about 20 to 40 a second. @returns ends the work, with as many users as before */
function keepWriting({ target, users }: Field): () => Promise<void> {
  let isOver = false;
  let number = users;
  const send = async (method: string, path: string, body?: unknown) => {
    const { path: address, headers } = target.shot({ method: 'GET', path });
    const answer = await fetch(`${target.url}${address}`, {
      method,
      headers: { ...headers, 'content-type': 'application/scim+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const write = async () => {
    while (!isOver) {
      const made = await send('POST', '/Users?attributes=id', scimUser(number++));
      const { id } = (await made.json()) as { id: string };
      await new Promise((done) => setTimeout(done, pauseMs));
      await send('DELETE', `/Users/${id}`);
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  };
  const writing = Array.from({ length: writers }, write);
  return async () => {
    isOver = true;
    await Promise.all(writing);
  };
}

async function unionBesideTerm(field: Field): Promise<Row> {
  const { users, pace } = field;
  const termsOf = (n: number) => {
    const { userName, externalId, emails, name } = profileOf(n);
    return [
      `emails.value eq "${emails?.[0]?.value}"`,
      `userName eq "${userName}"`,
      `externalId eq "${externalId}"`,
      `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber eq "${digits(n).forward}"`,
      `name.familyName eq "${name?.familyName} ${digits(n).forward}"`,
    ];
  };
  const some = () => Math.floor(Math.random() * users);
  const union = listLoad(field, () => ({ filter: termsOf(some()).join(' or ') }));
  const term = listLoad(field, () => ({ filter: termsOf(some())[0] ?? '' }));
  const { ours, peer, ratio } = await compareP95(union, term, pace);
  return compared(
    {
      measure: `or over five attributes, p95 at ${users.toLocaleString('en')} users`,
      ours: milliseconds(ours),
      peer: `emails eq alone: ${milliseconds(peer)}`,
    },
    ratio,
  );
}

/** GET requests of lists. @param query the parameters of the n-th request */
function listLoad(
  { target }: Pick<Field, 'target'>,
  query: (n: number) => Readonly<Record<string, string>>,
): Load {
  let n = 0;
  const next = () => {
    const parameters = new URLSearchParams(query(n++));
    return target.shot({ method: 'GET', path: `/Users?${parameters}` });
  };
  return { url: target.url, connections, next };
}
