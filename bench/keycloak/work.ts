import { fire, type Load } from '../load.js';

/** What both sides are measured at. Only the operations of a figure that is asked have `atLeast`: how many times as many as Keycloak. */
export const operations = [
  { name: 'client credentials, JWT' },
  { name: 'introspection of the token of a person' },
  { name: 'userinfo, profile and email' },
  { name: 'password login: page, form, code, tokens' },
  { name: 'SCIM get by id' },
  { name: 'SCIM userName eq' },
  { name: 'SCIM list of 100' },
  { name: 'SCIM create, no password' },
  { name: 'SCIM PATCH of a user', atLeast: 3 },
  { name: 'SCIM PATCH that adds a member to a group', atLeast: 2 },
  { name: 'users of imports of 10 a call', atLeast: 1.5 },
  { name: 'users of imports of 100 a call', atLeast: 2 },
  { name: 'users of imports of 1,000 a call' },
] as const;

export type OperationName = (typeof operations)[number]['name'];

/** Does an operation for some seconds. @returns how many were done @throws Error if one of them fails */
export type Work = (seconds: number) => Promise<number>;

/** One of the two sides. */
export type Works = Readonly<Record<OperationName, Work>>;

/** The requests of a load. */
export const requests =
  (load: Load): Work =>
  async (seconds) =>
    (await fire(load, seconds)).latencies.length;

/** Calls that take long, or have several requests. The last ones are awaited, so that none is cut. @param call returns what it did */
export const calls =
  (inFlight: number, call: () => Promise<number>): Work =>
  async (seconds) => {
    const end = performance.now() + seconds * 1_000;
    let done = 0;
    const client = async () => {
      while (performance.now() < end) done += await call();
    };
    await Promise.all(Array.from({ length: inFlight }, client));
    return done;
  };

/** Sends one request of a load, whose requests are made anew for each. */
export async function sendOne({ url, next, answered }: Load): Promise<void> {
  if (typeof next !== 'function') throw new Error('The requests of this load are prepared');
  const { path, ...request } = next();
  const answer = await fetch(url + path, request as RequestInit);
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`);
  answered?.(body, {});
}
