import { importBodyOf, scimUserOf } from './bodies.js';
import type { Caller } from './caller.js';
import type { Expected } from './expected.js';
import type { Service } from './service.js';

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const bulkSize = 10;
const importSize = 100;

/**
 * Clients that create and change users. If a user exists already, an earlier try whose response was lost must have
 * created it.
 */
export function provisioningCallers(service: Service, expected: Expected) {
  const { send, stage, tally } = service;
  const users = `/scim/v2/${stage.orgId}/Users`;

  async function create(userName: string, password?: string): Promise<string> {
    expected.ask([userName]);
    const json = scimUserOf(userName, password);
    const wish = { kind: 'SCIM create', line: `POST ${users}`, options: { json }, expected: [201, 409] };
    const { status, body, isFirstTry } = await send(wish);
    if (status === 409 && isFirstTry) tally.wrong('SCIM create', `${userName} was there before`);
    expected.tell([userName], status === 409 ? 1 : 0);
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

  const single: Caller = {
    async turn(number) {
      const userName = `single-${number}`;
      const id = await create(userName);
      for (let change = 0; change < 3; change++) {
        const displayName = `${userName} ${change}`;
        const json = { schemas: [patchUrn], Operations: [{ op: 'replace', value: { displayName } }] };
        const wish = { kind: 'SCIM patch', line: `PATCH ${users}/${id}`, options: { json } };
        await send({ ...wish, expected: [200, 204] });
        expected.rename(userName, displayName);
      }
      await find(userName);
    },
  };

  const bulk = bulkCaller(service, expected);
  const imports = importCaller(service, expected);
  return { create, callers: [single, single, bulk, imports] };
}

/** A client that creates users by Bulk, and repeats the operations that were refused. */
function bulkCaller({ send, stage, tally }: Service, expected: Expected): Caller {
  return {
    async turn(number) {
      const names = Array.from({ length: bulkSize }, (_, index) => `bulk-${number}-${index}`);
      expected.ask(names);
      let left = names;
      let isAnswerLost = false;
      let unanswered = 0;
      while (left.length > 0) {
        const Operations = left.map((name) => ({
          method: 'POST',
          path: '/Users',
          bulkId: name,
          data: scimUserOf(name),
        }));
        const options = { json: { schemas: [bulkUrn], Operations } };
        const line = `POST /scim/v2/${stage.orgId}/Bulk`;
        const { body, isFirstTry, isCalm } = await send({ kind: 'Bulk', line, options, expected: [200] });
        isAnswerLost ||= !isFirstTry;
        const again: string[] = [];
        for (const { bulkId, status } of body.Operations) {
          if (status === '503' && !isCalm) again.push(bulkId);
          else if (status === '409' && isAnswerLost) unanswered++;
          else if (status !== '201') tally.wrong('Bulk', `${bulkId}: ${status}`);
        }
        if (body.Operations.length !== left.length) tally.wrong('Bulk', 'it answers too few operations');
        left = again;
      }
      expected.tell(names, unanswered);
    },
  };
}

/** A client that imports users, and follows its job to the end. */
function importCaller({ send, stage, tally }: Service, expected: Expected): Caller {
  return {
    async turn(number) {
      const names = Array.from({ length: importSize }, (_, index) => `import${number}-${index}`);
      expected.ask(names);
      const options = {
        json: importBodyOf(stage.orgId, names),
        headers: { prefer: 'respond-async' },
      };
      const line = 'POST /admin/v1/import';
      const { headers, isFirstTry } = await send({ kind: 'import', line, options, expected: [202] });
      const job = `GET /admin/v1/jobs/${String(headers.location).split('/').at(-1)}`;
      for (;;) {
        const { body } = await send({ kind: 'job', line: job, expected: [200] });
        if (body.state === 'queued' || body.state === 'running') continue;
        const { created = 0, skipped = 0 } = body.result?.summary ?? {};
        const isWhole = created + skipped === importSize && (skipped === 0 || !isFirstTry);
        if (body.state !== 'completed' || !isWhole)
          tally.wrong('import', `${number}: ${body.state} ${JSON.stringify(body.result).slice(0, 500)}`);
        expected.tell(names, skipped);
        break;
      }
    },
  };
}
