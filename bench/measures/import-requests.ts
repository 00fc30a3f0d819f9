import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Organization } from '#src/directory/organization.js';
import type { Setting } from '../setting.js';

/** Users in one piece of a body. */
const piece = 200;

/** The setting and the organization that receive the imports of a measure. */
export interface Run {
  readonly setting: Setting;
  readonly organization: Organization;
}

let words = 0;

/** Tells the users of one import from those of others. */
export function nextWord(): string {
  words += 1;
  return String(words);
}

/** Imports so many new users into the organization. */
export async function importBody(run: Run, size: number): Promise<void> {
  const pieces = bodyOf(run.organization.id, size, nextWord());
  await post(run, { to: 'import', pieces, expected: `"created":${size},` });
}

/** Who sends, and where to. */
interface Sender {
  readonly setting: Pick<Setting, 'baseUrl' | 'client'>;
}

/** A body for {@link send}. */
interface Sent {
  readonly to: 'import' | 'verify';
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body. @returns the answer, whose body is not read yet */
export async function send(
  { setting: { baseUrl, client } }: Sender,
  { to, pieces, headers }: Sent,
): Promise<IncomingMessage> {
  const authorization = `Bearer ${client.personalAccessToken}`;
  // fetch would give up after five minutes without a response.
  const asked = request(`${baseUrl}/admin/v1/${to}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
  });
  const answering: Promise<IncomingMessage[]> = once(asked, 'response');
  const [[answer]] = await Promise.all([answering, pipeline(Readable.from(pieces), asked)]);
  if (answer === undefined) throw new Error('The import has no answer');
  return answer;
}

/** Sends a body, and requires a text at the end or the beginning of the answer. */
export async function post(
  run: Sender,
  sent: Sent & { readonly expected: string; readonly keeps?: 'beginning' },
): Promise<void> {
  const { to, expected, keeps } = sent;
  const answer = await send(run, sent);
  let kept = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    kept = keeps === 'beginning' ? (kept + chunk).slice(0, 500) : (kept + chunk).slice(-500);
  }
  if (!kept.includes(expected)) throw new Error(`The ${to} answers ${answer.statusCode}: ${kept}`);
}

/** A body in pieces, so that it is never complete in memory here either. */
export async function* bodyOf(orgId: string, size: number, number: string): AsyncGenerator<string> {
  yield '{"timeout":"5h","dataOrgs":';
  yield* organizationsOf(orgId, size, number);
  yield '}';
}

/** The list of organizations of such a body. */
export async function* organizationsOf(orgId: string, size: number, number: string): AsyncGenerator<string> {
  yield `{"orgs":[{"orgId":${JSON.stringify(orgId)},"humanUsers":[`;
  for (let first = 0; first < size; first += piece) {
    const users = Array.from({ length: Math.min(piece, size - first) }, (_, index) =>
      JSON.stringify(importPerson(`${number}-${first + index}`)),
    );
    yield `${first === 0 ? '' : ','}${users.join(',')}`;
  }
  yield ']}]}';
}

/** A record of an import, with a hash. */
export function importPerson(word: string) {
  return {
    userId: `import-${word}`,
    user: {
      userName: `person-${word}`,
      profile: { firstName: 'Given', lastName: `Family ${word}`, displayName: `Given Family ${word}` },
      email: { email: `person-${word}@example.com`, isEmailVerified: true },
      hashedPassword: { value: '$2b$12$hFFF7RyifKx4QcK9L0Bk2.BFeTNZng0gIcIMrRdDwgu7Rip.nE3GS' },
    },
  };
}

export async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return count / ((performance.now() - started) / 1000);
}
