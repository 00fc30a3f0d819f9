import { newUser } from '../../test/support/bulk.js';
import { makeServiceUser } from '../../test/support/credentials.js';
import { humanUsers, importOf } from '../../test/support/imports.js';
import type { Service } from './service.js';
import { addApplication, type Person, redirectUri, SignInEnded, signIn } from './sign-in.js';

/** What must be found at the end. */
export interface Expected {
  /** Every user that was asked for, by name, with the displayName of the last change, if there was one. */
  readonly users: Map<string, string | undefined>;
  readonly revoked: string[];
}

/** One client that does the same again and again. */
export interface Caller {
  turn(number: number): Promise<void>;
}

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const bulkSize = 10;
const importSize = 100;
const jobEnds = 'completed';
const scope = 'urn:service:iam:org:project:id:soak:aud';

/** The clients of the soak. Each asks for a thing until it is told that it is done, as provisioning clients do. */
export async function makeCallers(service: Service, expected: Expected): Promise<Caller[]> {
  const { send, stage, tally, apis } = service;
  const [first] = apis;
  if (first === undefined) throw new Error('No API process runs');
  const users = `/scim/v2/${stage.orgId}/Users`;
  const { clientId, clientSecret } = await makeServiceUser(stage, first, 'ORG_USER_MANAGER');
  const client = { client_id: clientId, client_secret: clientSecret };
  const { id: applicationId } = await addApplication(service, {
    type: 'native',
    authMethod: 'none',
    redirectUris: [redirectUri],
  });
  const api = await addApplication(service, { type: 'api', projectId: 'soak' });
  // By this name it stays, though a form has no bearer token.
  const basic = { Authorization: `Basic ${Buffer.from(`${api.id}:${api.secret}`).toString('base64')}` };
  const person: Person = { loginName: 'soak-person', password: 'Correct-Horse-7' };

  /** 409 says that an earlier try, whose answer was lost, had done it. */
  async function create(userName: string, password?: string): Promise<string> {
    const json = newUser(userName, password);
    const wish = { kind: 'SCIM create', line: `POST ${users}`, options: { json }, expected: [201, 409] };
    const { status, body } = await send(wish);
    expected.users.set(userName, undefined);
    return status === 201 ? body.id : find(userName);
  }

  async function find(userName: string): Promise<string> {
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    const { body } = await send({
      kind: 'SCIM list',
      line: `GET ${users}?filter=${filter}`,
      expected: [200],
    });
    if (body.totalResults !== 1 || body.Resources[0]?.userName !== userName)
      tally.wrong('SCIM list', `${body.totalResults} users are ${userName}`);
    return body.Resources[0]?.id;
  }

  async function tokenOf(): Promise<string> {
    const form = { grant_type: 'client_credentials', scope, ...client };
    const wish = { kind: 'token', line: 'POST /oauth/v2/token', options: { form }, expected: [200] };
    return (await send(wish)).body.access_token;
  }

  async function expectActive(token: string, isActive: boolean): Promise<void> {
    const wish = { kind: 'introspect', line: 'POST /oauth/v2/introspect', expected: [200] };
    const { body } = await send({ ...wish, options: { form: { token }, headers: basic } });
    if (body.active !== isActive) tally.wrong('introspect', `active is ${body.active}, not ${isActive}`);
  }

  const provisioning: Caller = {
    async turn(number) {
      const userName = `single-${number}`;
      const id = await create(userName);
      for (let change = 0; change < 3; change++) {
        const displayName = `${userName} ${change}`;
        const json = { schemas: [patchUrn], Operations: [{ op: 'replace', value: { displayName } }] };
        const wish = { kind: 'SCIM patch', line: `PATCH ${users}/${id}`, options: { json } };
        await send({ ...wish, expected: [200, 204] });
        expected.users.set(userName, displayName);
      }
      await find(userName);
    },
  };

  const bulk: Caller = {
    async turn(number) {
      const names = Array.from({ length: bulkSize }, (_, index) => `bulk-${number}-${index}`);
      let left = names;
      while (left.length > 0) {
        const Operations = left.map((name) => ({
          method: 'POST',
          path: '/Users',
          bulkId: name,
          data: newUser(name),
        }));
        const options = { json: { schemas: [bulkUrn], Operations } };
        const line = `POST /scim/v2/${stage.orgId}/Bulk`;
        const { body } = await send({ kind: 'Bulk', line, options, expected: [200] });
        const again: string[] = [];
        for (const { bulkId, status } of body.Operations) {
          if (status === '503') again.push(bulkId);
          else if (status !== '201' && status !== '409') tally.wrong('Bulk', `${bulkId}: ${status}`);
        }
        if (body.Operations.length !== left.length) tally.wrong('Bulk', 'it answers too few operations');
        left = again;
      }
      for (const name of names) expected.users.set(name, undefined);
    },
  };

  const tokens: Caller = {
    async turn() {
      const token = await tokenOf();
      await expectActive(token, true);
      const form = { token, ...client };
      await send({ kind: 'revoke', line: 'POST /oauth/v2/revoke', options: { form }, expected: [200] });
      expected.revoked.push(token);
      await expectActive(token, false);
      await expectActive(expected.revoked[Math.floor(Math.random() * expected.revoked.length)] ?? '', false);
    },
  };

  const logins: Caller = {
    async turn() {
      const before = service.disturbances();
      const isDisturbed = () => before % 2 === 1 || before !== service.disturbances();
      try {
        await signIn(service, applicationId, person);
        tally.count('sign-in', 'right', !isDisturbed());
      } catch (error) {
        if (!isDisturbed() && error instanceof SignInEnded) tally.wrong('sign-in', error.message);
        else tally.count('sign-in', 'lost', !isDisturbed());
      }
    },
  };

  const imports: Caller = {
    async turn(number) {
      const word = `import${number}`;
      const people = humanUsers(word, importSize);
      const options = {
        json: importOf(stage.orgId, people, { timeout: '10m' }),
        headers: { prefer: 'respond-async' },
      };
      const line = 'POST /admin/v1/import';
      const { headers } = await send({ kind: 'import', line, options, expected: [202] });
      const job = `GET /admin/v1/jobs/${String(headers.location).split('/').at(-1)}`;
      for (;;) {
        const { body } = await send({ kind: 'job', line: job, expected: [200] });
        if (body.state === 'queued' || body.state === 'running') continue;
        const { created = 0, skipped = 0 } = body.result?.summary ?? {};
        if (body.state !== jobEnds || created + skipped !== importSize)
          tally.wrong('import', `${word}: ${body.state} ${JSON.stringify(body.result).slice(0, 500)}`);
        break;
      }
      for (const { user } of people) expected.users.set(user.userName, undefined);
    },
  };

  await create(person.loginName, person.password);
  return [provisioning, provisioning, bulk, tokens, logins, imports];
}
