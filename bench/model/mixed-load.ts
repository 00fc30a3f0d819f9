import { addApplication } from '#src/clients/applications/add-application.js';
import { addUser } from '#src/people/users/add-user.js';
import { addPeopleWithPassword, passwordOfPeople } from '../measures/oidc-login.js';
import { tokenRequest } from '../measures/tokens.js';
import { firstNumbers, profileOf, scimUser } from '../people.js';
import { editor, type Setting } from '../setting.js';
import { redirectUri, signIn } from '../sign-in.js';
import { scimTarget } from '../target.js';
import type { MeasuredOperation } from './costs.js';

/** People that a request for one of them finds. */
const found = 200;
/** New users of a Bulk. */
const usersOfBulk = 100;
const json = { 'content-type': 'application/scim+json' };

/** Does an operation once. @throws Error if it fails */
export type Perform = (operation: MeasuredOperation) => Promise<void>;

/** Makes what the operations need: an application, people with passwords, people to find. */
export async function openOperations(setting: Setting): Promise<Perform> {
  const { container, organization, client, baseUrl } = setting;
  const { application } = await addApplication(container, {
    orgId: organization.id,
    settings: { name: 'Model', type: 'native', redirectUris: [redirectUri] },
    editor,
  });
  const signingIn = await addPeopleWithPassword(setting);
  const ids: string[] = [];
  for (let n = 0; n < found; n++) {
    const draft = { profile: profileOf(firstNumbers.oidc + n) };
    ids.push((await addUser(container, { organization, draft, editor })).id);
  }
  const target = scimTarget(baseUrl, organization.id, client.personalAccessToken);
  const token = tokenRequest(setting);
  const site = { baseUrl, address: () => baseUrl };
  let turn = 0;
  let number: number = firstNumbers.scim;
  const send = async ({ path, ...request }: { path: string }) => {
    const answer = await fetch(baseUrl + path, request as RequestInit);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  };
  const newUser = () => {
    number += 1;
    return scimUser(number);
  };
  const operations: Readonly<Record<MeasuredOperation, () => Promise<void>>> = {
    'sign-in': () =>
      signIn(site, application.id, {
        loginName: signingIn[turn % signingIn.length]?.userName ?? '',
        password: passwordOfPeople,
      }),
    token: () => send(token),
    get: () => send(target.shot({ method: 'GET', path: `/Users/${ids[turn % found]}` })),
    create: () =>
      send(target.shot({ method: 'POST', path: '/Users', headers: json, body: JSON.stringify(newUser()) })),
    bulk: () => send(target.shot({ method: 'POST', path: '/Bulk', headers: json, body: bulkOf(newUser) })),
  };
  return (operation) => {
    turn += 1;
    return operations[operation]();
  };
}

function bulkOf(newUser: () => object): string {
  return JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: Array.from({ length: usersOfBulk }, (_, n) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `b${n}`,
      data: newUser(),
    })),
  });
}

/** What ended while operations were kept in flight. */
export interface Kept {
  readonly count: number;
  /** Until the last operation ended. */
  readonly seconds: number;
  /** How many of each operation were under way at a time, on average. */
  readonly underWay: ReadonlyMap<MeasuredOperation, number>;
}

/**
 * Keeps so many operations in flight for some seconds. Then it waits for those that have begun.
 * @param next the operation that begins next
 */
export async function keepInFlight(
  perform: Perform,
  { next, inFlight, seconds }: { next: () => MeasuredOperation; inFlight: number; seconds: number },
): Promise<Kept> {
  const began = performance.now();
  const took = new Map<MeasuredOperation, number>();
  let count = 0;
  const client = async () => {
    for (let at = performance.now(); at - began < seconds * 1_000; at = performance.now()) {
      const operation = next();
      await perform(operation);
      took.set(operation, (took.get(operation) ?? 0) + performance.now() - at);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  const all = performance.now() - began;
  return {
    ...{ count, seconds: all / 1_000 },
    underWay: new Map([...took].map(([operation, ms]) => [operation, ms / all])),
  };
}
