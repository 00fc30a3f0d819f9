import t, { type Test } from 'tap';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { sliceShare } from '#src/platform/work/loop-scheduler.js';
import { makeCaller, makeOrganization, makeTenant, uniqueName } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { type Answer, buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';

/** Many clients change one object at once. Only one change can succeed at a time, so the others wait instead of trying. */

// The pauses of a busy process would make the test long.
t.intercept(sliceShare, 'now', { value: () => Number.POSITIVE_INFINITY });

const opened = await buildTestApp(t);
const { container, call } = opened;
const callElsewhere = await buildAnotherApp(t, opened);
const instanceOwner = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const organization = `/admin/v1/orgs/${acme.orgId}`;
const as = acme.owner;
const clients = 32;

/**
 * Counts the attempts of transactions, also those that MongoDB makes repeat, during a test. `most`: the most of clients that ran at the same time.
 */
function countAttempts(t: Pick<Test, 'teardown'>): { attempts: number; most: number } {
  const { mongo } = container;
  const { transaction, transactionOf } = mongo;
  const counts = { attempts: 0, most: 0 };
  let running = 0;
  const counted =
    <T>(work: (transaction: Transaction) => Promise<T>) =>
    (session: Transaction) => {
      counts.attempts++;
      return work(session);
    };
  const countedOf =
    <T>(work: (transaction: Transaction) => Promise<T>) =>
    async (session: Transaction) => {
      counts.most = Math.max(counts.most, ++running);
      try {
        return await counted(work)(session);
      } finally {
        running--;
      }
    };
  Object.assign(mongo, {
    transaction: (work, options) => transaction(counted(work), options),
    transactionOf: (holder, work, options) => transactionOf(holder, countedOf(work), options),
  } satisfies Pick<Mongo, 'transaction' | 'transactionOf'>);
  t.teardown(() => Object.assign(mongo, { transaction, transactionOf }));
  return counts;
}

async function added(path: string, body: Record<string, unknown>): Promise<Answer['body']> {
  const answer = await call(`POST ${organization}${path}`, { as, body });
  if (answer.status !== 201) throw new Error(`${path} answers ${answer.status}`);
  return answer.body;
}

type Change = (number: number) => Promise<Answer>;

const kinds: Readonly<Record<string, () => Promise<{ change: Change }>>> = {
  'the settings of an organization': async () => ({
    change: (number) =>
      call(`PATCH ${organization}`, { as, body: { passwordPolicy: { minLength: 8 + number } } }),
  }),
  'the domains of an organization': async () => ({
    change: (number) =>
      call(`POST ${organization}/domains`, { as, body: { domainName: `n${number}.example` } }),
  }),
  'the extension schemas of an organization': async () => ({
    change: (number) =>
      call(`PUT ${organization}/extension-schemas/urn:example:badges`, {
        as,
        body: { name: `Schema ${number}`, attributes: [{ name: 'badge', type: 'string' }] },
      }),
  }),
  'an application': async () => {
    const { id } = await makeApplication(container, acme.orgId);
    return {
      change: (number) =>
        call(`PATCH ${organization}/applications/${id}`, { as, body: { name: `Application ${number}` } }),
    };
  },
  'a service user': async () => {
    const { id } = await makeCaller(container, acme.orgId);
    return {
      change: (number) =>
        call(`PATCH ${organization}/service-users/${id}`, { as, body: { name: `Service ${number}` } }),
    };
  },
  'the personal access tokens of a service user': async () => {
    const { id } = await makeCaller(container, acme.orgId);
    return { change: () => call(`POST ${organization}/service-users/${id}/tokens`, { as, body: {} }) };
  },
  'a project': async () => {
    const { id } = await added('/projects', { name: 'Shop' });
    return {
      change: (number) =>
        call(`PATCH ${organization}/projects/${id}`, { as, body: { name: `Shop ${number}` } }),
    };
  },
  'the roles of a project': async () => {
    const { id } = await added('/projects', { name: 'Shop' });
    return {
      change: (number) =>
        call(`POST ${organization}/projects/${id}/roles`, { as, body: { key: `role-${number}` } }),
    };
  },
  'the applications of a project': async () => {
    const { id: projectId } = await added('/projects', { name: 'Shop' });
    return {
      change: (number) =>
        call(`POST ${organization}/applications`, {
          as,
          body: { name: `Application ${number}`, type: 'api', projectId },
        }),
    };
  },
  'a grant of a user': async () => {
    const { id: projectId } = await added('/projects', { name: 'Shop' });
    for (let number = 0; number < clients; number++) {
      await added(`/projects/${projectId}/roles`, { key: `role-${number}` });
    }
    const { id: userId } = await person();
    await added(`/projects/${projectId}/grants`, { userId, roles: ['role-0'] });
    return {
      change: (number) =>
        call(`PATCH ${organization}/projects/${projectId}/grants/${userId}`, {
          as,
          body: { roles: [`role-${(number + 1) % clients}`] },
        }),
    };
  },
  'the grants of a project': async () => {
    const { id: projectId } = await added('/projects', { name: 'Shop' });
    await added(`/projects/${projectId}/roles`, { key: 'reader' });
    const people = await Promise.all(Array.from({ length: clients }, person));
    return {
      change: (number) =>
        call(`POST ${organization}/projects/${projectId}/grants`, {
          as,
          body: { userId: people[number]?.id, roles: ['reader'] },
        }),
    };
  },
  'several entries of the metadata of a user': async () => {
    const { id } = await person();
    return {
      change: (number) =>
        call(`PUT ${organization}/users/${id}/metadata/key-${number}`, { as, body: { value: 'YQ==' } }),
    };
  },
  'one entry of the metadata of a user': async () => {
    const { id } = await person();
    return {
      change: (number) =>
        call(`PUT ${organization}/users/${id}/metadata/desk`, {
          as,
          body: { value: Buffer.from(String(number)).toString('base64') },
        }),
    };
  },
  'the one-time link of a user': async () => {
    const { id } = await person();
    return { change: () => call(`POST ${organization}/users/${id}/one-time-links`, { as }) };
  },
  'the password of a user': async () => {
    const { id } = await person();
    return { change: () => call(`POST ${organization}/users/${id}/require-password-change`, { as }) };
  },
  'the roles of a group': async () => {
    const group = await call(`POST /scim/v2/${acme.orgId}/Groups`, {
      as,
      body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: uniqueName('Group') },
    });
    const roles = ['ORG_USER_VIEWER', 'ORG_USER_MANAGER', 'ORG_OWNER'];
    return {
      change: (number) =>
        call(`PUT ${organization}/groups/${group.body.id}/roles`, {
          as,
          body: { roles: [roles[number % 3]] },
        }),
    };
  },
  'service users that are deactivated': async () => {
    const machines = await Promise.all(
      Array.from({ length: clients }, () => makeCaller(container, acme.orgId)),
    );
    return {
      change: (number) =>
        call(`PATCH ${organization}/service-users/${machines[number]?.id}`, { as, body: { active: false } }),
    };
  },
  'service users that are removed': async () => {
    const machines = await Promise.all(
      Array.from({ length: clients }, () => makeCaller(container, acme.orgId)),
    );
    return {
      change: (number) => call(`DELETE ${organization}/service-users/${machines[number]?.id}`, { as }),
    };
  },
  'the owners of the instance': async () => {
    const machines = await Promise.all(
      Array.from({ length: clients }, () => makeCaller(container, acme.orgId)),
    );
    const path = '/admin/v1/memberships';
    const ids = await Promise.all(
      machines.map(async ({ id: userId }) => {
        const { body } = await call(`POST ${path}`, {
          as: instanceOwner,
          body: { userId, role: 'IAM_OWNER' },
        });
        return body.id;
      }),
    );
    return { change: (number) => call(`DELETE ${path}/${ids[number]}`, { as: instanceOwner }) };
  },
  'the features of the instance': async () => ({
    change: (number) =>
      call('PATCH /admin/v1/features', { as: instanceOwner, body: { tokenExchange: number % 2 === 0 } }),
  }),
};

async function person() {
  const home = await container.organizations.find(acme.orgId);
  if (home === undefined) throw new Error('The organization is gone');
  return makePerson(container, home, { password: null });
}

for (const [kind, prepare] of Object.entries(kinds)) {
  t.test(`${kind}: ${clients} changes at once succeed, each at its first attempt`, async (t) => {
    const { change } = await prepare();
    const counts = countAttempts(t);
    const answers = await Promise.all(Array.from({ length: clients }, (_, number) => change(number)));
    const refused = answers.filter(({ status }) => status >= 300);
    t.same(
      refused.map(({ status, body }) => [status, body?.id ?? body]),
      [],
    );
    t.ok(counts.attempts <= clients, `${counts.attempts} attempts`);
  });
}

t.test('changes of many objects at once leave most connections to other organizations', async (t) => {
  const people = await Promise.all(Array.from({ length: 60 }, person));
  const counts = countAttempts(t);
  const answers = await Promise.all(
    people.map(({ id }) =>
      call(`PATCH /scim/v2/${acme.orgId}/Users/${id}`, {
        as,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'title', value: 'Head' }],
        },
      }),
    ),
  );
  t.same(new Set(answers.map(({ status }) => status)), new Set([204]));
  const share = Math.ceil(container.config.mongodbPoolSize / 4);
  t.ok(counts.most <= share, `${counts.most} of ${container.config.mongodbPoolSize} connections`);
});

t.test('two processes that change one object come to an end soon', async (t) => {
  const counts = countAttempts(t);
  const answers = await Promise.all(
    Array.from({ length: clients }, (_, number) =>
      (number % 2 === 0 ? call : callElsewhere)(`PATCH ${organization}`, {
        as,
        body: { passwordPolicy: { minLength: 8 + number } },
      }),
    ),
  );
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.ok(counts.attempts <= 4 * (clients / 2), `${counts.attempts} attempts of the first process`);
});

t.test('a crowd that waits for one object is refused in part, and told when to come again', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, number) =>
      call(`PATCH ${organization}`, { as, body: { passwordPolicy: { minLength: 8 + (number % 50) } } }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  t.ok(answers.length - refused.length >= 100);
  for (const { status, headers, body } of refused) {
    t.match({ status, id: body.id }, { status: 503, id: 'directory.changing' });
    t.equal(headers['retry-after'], '1');
  }
});
