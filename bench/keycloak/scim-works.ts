import type { Shot } from '../load.js';
import { digits, firstNumbers, scimUser } from '../people.js';
import type { ScimTarget } from '../target.js';
import { type OperationName, requests, type Work } from './work.js';

/** People and groups of each side before the measures. */
const people = 500;
const groups = 100;
const connections = 16;
const headers = { 'content-type': 'application/scim+json' };
const patched = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

type ScimOperation = Extract<OperationName, `SCIM ${string}`>;

/** The SCIM operations, at either side: the same requests to both. */
export async function scimWorks(target: ScimTarget): Promise<Readonly<Record<ScimOperation, Work>>> {
  let number: number = firstNumbers.scim;
  const newUser = () => JSON.stringify(scimUser(++number));
  const userIds: string[] = [];
  for (let n = 0; n < people; n++) userIds.push(await add(target, '/Users', newUser()));
  const numbers = Array.from({ length: people }, (_, n) => firstNumbers.scim + 1 + n);
  const groupIds: string[] = [];
  for (let n = 0; n < groups; n++) {
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    groupIds.push(await add(target, '/Groups', JSON.stringify({ schemas, displayName: `Group ${n}` })));
  }
  const each = (shotOf: (turn: number) => Shot): Work => {
    let turn = 0;
    return requests({ url: target.url, connections, next: () => target.shot(shotOf(turn++)) });
  };
  const patch = (path: string, operation: object): Shot => {
    const body = JSON.stringify({ schemas: [patched], Operations: [operation] });
    return { method: 'PATCH', path, headers, body };
  };
  const filterOf = (n: number) => {
    const { forward, backward } = digits(n);
    return new URLSearchParams({ filter: `userName eq "p${forward}.person.${backward}"` });
  };
  return {
    'SCIM get by id': each((turn) => ({ method: 'GET', path: `/Users/${userIds[turn % people]}` })),
    'SCIM userName eq': each((turn) => ({
      method: 'GET',
      path: `/Users?${filterOf(numbers[turn % people] ?? 0)}`,
    })),
    'SCIM list of 100': each(() => ({ method: 'GET', path: '/Users?count=100' })),
    'SCIM create, no password': each(() => ({ method: 'POST', path: '/Users', headers, body: newUser() })),
    'SCIM PATCH of a user': each((turn) =>
      patch(`/Users/${userIds[turn % people]}`, {
        ...{ op: 'replace', path: 'name.familyName', value: `Family ${turn}` },
      }),
    ),
    // Each person becomes a member of one group after the other. Once all are members of all groups, they leave again: to add a member who is
    // there would write nothing, and only the faster side comes so far.
    'SCIM PATCH that adds a member to a group': each((turn) => {
      const value = userIds[Math.floor(turn / groups) % people];
      const joins = Math.floor(turn / groups / people) % 2 === 0;
      const change = joins
        ? { op: 'add', path: 'members', value: [{ value }] }
        : { op: 'remove', path: `members[value eq "${value}"]` };
      return patch(`/Groups/${groupIds[turn % groups]}`, change);
    }),
  };
}

async function add({ url, shot }: ScimTarget, at: string, body: string): Promise<string> {
  const { path, ...request } = shot({ method: 'POST', path: at, headers, body });
  const answer = await fetch(url + path, request as RequestInit);
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { id: string }).id;
}
