import type { ServerResponse } from 'node:http';
import type { Test } from 'tap';
import type { Api, Stage } from '../../../dev/stage/stage.js';
import { until } from '../../../dev/until.js';
import { inDatabase } from '../migration/fault-import.js';
import type { Certificate } from '../network/certificate.js';
import { startHookServer } from '../network/hook-server.js';

const password = 'Correct-Horse-7';

/** The settings with which API processes may ask a hook on this machine. */
export function hookSettings({ certFile }: Certificate): Record<string, string> {
  return { MUSTER_PRIVATE_HOOK_HOSTS: '127.0.0.1', NODE_EXTRA_CA_CERTS: certFile };
}

/** The former service of the organization of a stage. It confirms every password, at the moment that the test says. */
export interface FormerService {
  /** Sends the login form, with a password that only the former service knows. Fails if the API process dies. */
  signIn(api: Api, loginName: string): Promise<number>;
  /** Waits until so many questions about a login name wait for an answer. */
  asked(loginName: string, count?: number): Promise<void>;
  /** Answers the questions about a login name that wait. */
  answer(loginName: string): void;
  /** Answers later questions at once. */
  answerAtOnce(): void;
  /** The questions about a login name so far. */
  countOf(loginName: string): number;
  /** What the database has of a login name. */
  stored(loginName: string): Promise<Stored>;
}

export interface Stored {
  readonly people: number;
  /** How many of them have a password, and the note that it is of the former service. */
  readonly whole: number;
  /** The events about them that tell of their creation. */
  readonly added: number;
}

/** Starts a former service, and makes it the hook of the organization. */
export async function startFormerService(
  t: Pick<Test, 'teardown'>,
  { stage, api, certificate }: { stage: Stage; api: Api; certificate: Certificate },
): Promise<FormerService> {
  stage.keepSecret(password);
  const hook = await startHookServer(t, certificate);
  const waiting: { loginName: string; userName: string; response: ServerResponse }[] = [];
  /** Of somebody who is here already, the question has the user name too. */
  const namesIn = (body: string) => {
    const { loginName, userName = loginName } = JSON.parse(body);
    return { loginName: String(loginName), userName: String(userName) };
  };
  const respond = ({ userName, response }: Omit<(typeof waiting)[number], 'loginName'>) =>
    response.end(JSON.stringify({ confirmed: true, user: { userName, familyName: 'Lind' } }));
  hook.respond = ({ body }, response) => {
    response.on('error', () => undefined);
    waiting.push({ ...namesIn(body), response });
  };
  const put = await api.call(`PUT /admin/v1/orgs/${stage.orgId}/migration-hook`, {
    json: { url: hook.url, timeoutMilliseconds: 5_000 },
  });
  if (put.status !== 200) throw new Error(JSON.stringify(put.body));
  const of = (loginName: string) => waiting.filter((one) => one.loginName === loginName);

  return {
    async signIn({ address }, loginName) {
      const page = await fetch(`${address}/login`);
      const hidden = [...(await page.text()).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
      const cookie = page.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
      const answer = await fetch(`${address}/login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams({ ...fields, loginName, password, organization: stage.orgId }),
      });
      await answer.arrayBuffer();
      // A form that is refused is answered with a redirect to its page.
      return answer.headers.get('location')?.includes('refused=') ? 400 : answer.status;
    },
    asked: async (loginName, count = 1) => void (await until(() => of(loginName).length >= count)),
    answer(loginName) {
      for (const one of of(loginName)) {
        waiting.splice(waiting.indexOf(one), 1);
        respond(one);
      }
    },
    answerAtOnce() {
      hook.respond = ({ body }, response) => respond({ ...namesIn(body), response });
    },
    countOf: (loginName) => hook.asked.filter(({ body }) => namesIn(body).loginName === loginName).length,
    stored: (loginName) =>
      inDatabase(stage, async (db) => {
        const people = await db
          .collection<{ _id: string; password?: object; importedCredentials?: object }>('users')
          .find({ orgId: stage.orgId, 'search.userName': loginName.toLowerCase() })
          .toArray();
        const isWhole = (one: (typeof people)[number]) => one.password && one.importedCredentials;
        const ids = people.map(({ _id }) => _id);
        const added = await db
          .collection('events')
          .countDocuments({ 'aggregate.id': { $in: ids }, type: 'user.human.added' });
        return { people: people.length, whole: people.filter(isWhole).length, added };
      }),
  };
}

/** What the database has after a sign-in: one person, whole, with one event. */
export const takenOverOnce: Stored = { people: 1, whole: 1, added: 1 };
