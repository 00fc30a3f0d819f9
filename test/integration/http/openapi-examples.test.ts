import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import t from 'tap';
import { addGroup } from '#src/people/groups/add-group.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, makeOrganization, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, makeServiceClient } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { storeConnection } from '../../support/oidc/connected.js';
import { badgeUrn } from '../../support/scim/extension-schema.js';

/**
 * Every example of a body in the document is sent, and succeeds as described. Every example in the document is valid by its schema. The examples of
 * the administration are sent in the order of the document, to objects of one organization. Those of SCIM have one each.
 */

const { app, container, call } = await buildTestApp(t, { workers: true });
const document = await app.describeApi();
const full = await makeFullOrganization(container);
const owner = await makeCaller(container, full.orgId, ['IAM_OWNER']);
const group = await addGroup(container, {
  orgId: full.orgId,
  profile: { displayName: 'New' },
  members: new Set(),
  editor: testEditor,
});

const { id: connectionId } = await storeConnection(container, full.orgId, {
  authMethod: 'client_secret_basic',
});

/** The words of the examples that stand for what exists, and what exists here. */
const standIns: Readonly<Record<string, string>> = {
  'the-organization': full.orgId,
  'the-user': full.people.bare.id,
  'the-group': group.id,
};

/** Answers that examples get here, although they succeed elsewhere. */
const exceptions: Readonly<Record<string, { status: number; id: string; reason: string }>> = {
  addFederatedCredential: { status: 400, id: 'directory.issuerUnusable', reason: 'tests have no network' },
  addConnection: { status: 400, id: 'connections.providerUnusable', reason: 'tests have no network' },
  testSignIn: { status: 400, id: 'directory.valueInvalid', reason: 'a code counts once, for a minute' },
};

/** Bodies without an example: a person fills them in by a browser, or the header has all there is to say. */
const withoutExamples = ['authorizePost', 'endSessionPost', 'postUserinfo'];

interface Media {
  readonly schema: { readonly $ref?: string; readonly examples?: readonly unknown[] };
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

/** The examples of a body, and those of its schema. */
function examplesOf({ schema, examples = {} }: Media): unknown[] {
  const named = schema.$ref?.split('/').at(-1) ?? '';
  const own = schema.examples ?? document.components['schemas']?.[named]?.['examples'] ?? [];
  return [...Object.values(examples).map(({ value }) => value), ...(own as unknown[])];
}

const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Readonly<Record<string, Operation>>).flatMap(
    ([method, { operationId, requestBody }]) =>
      Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({
        operationId,
        method: method.toUpperCase(),
        path,
        type,
        examples: examplesOf(media),
      })),
  ),
);

t.same(
  bodies.filter(({ examples }) => examples.length === 0).map(({ operationId }) => operationId),
  withoutExamples,
  'every other body has an example',
);

for (const { operationId, method, path, type, examples } of bodies) {
  for (const [index, example] of examples.entries()) {
    t.test(`${operationId} ${index + 1} as ${type}`, async (t) => {
      const answer = await send(`${method} ${path}`, { type, example });
      const exception = exceptions[operationId];
      if (exception !== undefined) {
        t.equal(answer.status, exception.status, exception.reason);
        return t.match(answer.text, `"id":"${exception.id}"`);
      }
      t.ok(answer.status < 300, `${answer.status} ${answer.text}`);
      const { Operations = [], errors = [] } = answer.isJson ? JSON.parse(answer.text) : {};
      const failed = Operations.filter(({ status }: { status: string }) => !status.startsWith('2'));
      t.same([...failed, ...errors], [], 'every operation and every record succeeds');
    });
  }
}

async function send(request: string, { type, example }: { type: string; example: unknown }) {
  const [method, path = ''] = request.split(' ') as ['POST', string];
  const orgId = path.startsWith('/scim/')
    ? (await makeOrganization(container, { name: uniqueName('Example') })).id
    : full.orgId;
  const ids: Readonly<Record<string, string>> = { ...(await idsOf(path, orgId)), orgId };
  const answer = await app.inject({
    method,
    url: path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? '')),
    ...(type === 'application/x-www-form-urlencoded' ? await form(path, example) : json(type, example)),
  });
  // The 204 of a PATCH has a type too.
  const isJson = answer.payload !== '' && /[/+]json/.test(String(answer.headers['content-type']));
  return { status: answer.statusCode, text: answer.payload, isJson };
}

/** A program gets a token for itself as a service user. Any other request is one of an application. */
async function form(path: string, example: unknown) {
  const make = path.endsWith('/token') ? makeServiceClient : makeApplication;
  const { credentials } = await make(container, full.orgId);
  return {
    headers: { ...credentials.headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(example as Record<string, string>).toString(),
  };
}

function json(type: string, example: unknown) {
  const payload = Object.entries(standIns).reduce(
    (text, [word, id]) => text.replaceAll(`"${word}"`, JSON.stringify(id)),
    JSON.stringify(example),
  );
  return { headers: { authorization: `Bearer ${owner.token}`, 'content-type': type }, payload };
}

/** Existing objects, by the name of a parameter. */
async function idsOf(path: string, orgId: string): Promise<Record<string, string>> {
  const { people, machine, web, project } = full;
  const id = path.includes('/applications/')
    ? web.id
    : path.includes('/service-users/')
      ? machine.id
      : people.plain.id;
  return {
    id: path.startsWith('/scim/') && path.endsWith('{id}') ? await makeResource(path, orgId) : id,
    connectionId,
    projectId: project.id,
    userId: path.includes('/members/') ? machine.id : people.full.id,
    groupId: full.group.id,
    roleKey: 'reader',
    key: 'a',
    domainName: `b.${orgId}.example`,
    schemaId: badgeUrn,
  };
}

/** The identifier of a new user or group, to change. */
async function makeResource(path: string, orgId: string): Promise<string> {
  const [kind, name] = path.includes('/Users/') ? ['User', 'userName'] : ['Group', 'displayName'];
  const { body } = await call(`POST /scim/v2/${orgId}/${kind}s`, {
    as: owner,
    body: { schemas: [`urn:ietf:params:scim:schemas:core:2.0:${kind}`], [name]: uniqueName('example') },
  });
  return body.id;
}

t.test('every example is valid by its schema', async (t) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  let count = 0;
  const check = (place: readonly string[], examples: readonly unknown[]) => {
    const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.getSchema(`api#/${pointer.join('/')}`);
    for (const example of examples) {
      count++;
      if (validate?.(example) !== true)
        t.fail(`${place.join(' ')}: ${JSON.stringify(example)} ${ajv.errorsText(validate?.errors)}`);
    }
  };
  /** Looks for examples beside a schema, and in schemas. The names of properties are no keywords. */
  const look = (part: unknown, place: readonly string[]): void => {
    if (typeof part !== 'object' || part === null) return;
    const { schema, example, examples } = part as { schema?: object; example?: unknown; examples?: unknown };
    const isNames = ['properties', 'schemas', 'headers'].includes(place.at(-1) ?? '');
    if (schema !== undefined && example !== undefined) check([...place, 'schema'], [example]);
    if (!isNames && Array.isArray(examples)) check(place, examples);
    else if (!isNames && schema !== undefined && examples !== undefined)
      check(
        [...place, 'schema'],
        Object.values(examples as object).map(({ value }) => value),
      );
    for (const [key, value] of Object.entries(part))
      if (isNames || !['example', 'examples', 'enum', 'const', 'default'].includes(key))
        look(value, [...place, key]);
  };
  look(document.paths, ['paths']);
  look(document.components, ['components']);
  t.ok(count > 100, `${count} examples`);
});
