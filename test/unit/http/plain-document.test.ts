import { readFileSync } from 'node:fs';
import t from 'tap';
import type { ApiDocument } from '#src/http/openapi/api-document.js';
import { plainDocument } from '#src/http/openapi/plain-document.js';

/** What breaks generators of clients is not in the description for them, and nothing else is missing. test/slow/guides runs generators. */

type Part = Readonly<Record<string, unknown>>;
interface Shape extends Part {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Part>> };
}

const full = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDocument;
const plain = plainDocument(full) as unknown as Shape;

/** Every schema below a part that is none itself, with its place. */
function schemasOf(part: unknown, at = ''): [place: string, schema: Part][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, inner]) => {
    const place = `${at}/${key}`;
    if (place === '/components/schemas')
      return Object.entries(inner as Part).flatMap(([name, one]) =>
        withInner(one as Part, `${place}/${name}`),
      );
    return key === 'schema' ? withInner(inner as Part, place) : schemasOf(inner, place);
  });
}

function withInner(schema: Part, place: string): [string, Part][] {
  const { items, additionalProperties: others, properties = {}, allOf = [] } = schema;
  const inner = [
    ...Object.entries(properties as Part).map(([name, one]) => [`/properties/${name}`, one] as const),
    ...(allOf as Part[]).map((one) => ['/allOf', one] as const),
    ...(items === undefined ? [] : [['/items', items] as const]),
    ...(typeof others === 'object' ? [['/additionalProperties', others] as const] : []),
  ];
  return [[place, schema], ...inner.flatMap(([name, one]) => withInner(one as Part, `${place}${name}`))];
}

const all = schemasOf(plain);
/** The places of the schemas for which a check fails. */
const failing = (isWrong: (schema: Part, place: string) => unknown) =>
  all.filter(([place, schema]) => isWrong(schema, place)).map(([place]) => place);

t.test('schemas have only words of OpenAPI 3.0 that generators understand', async (t) => {
  t.equal(plain['openapi'], '3.0.3');
  t.ok(all.length > 2_000, `${all.length} schemas`);
  const known =
    'type nullable format description properties required items additionalProperties enum allOf $ref'.split(
      ' ',
    );
  t.same(
    failing((schema) => Object.keys(schema).some((keyword) => !known.includes(keyword))),
    [],
  );
  const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];
  t.same(
    failing(({ type }) => type !== undefined && !types.includes(type as string)),
    [],
    'one type',
  );
  t.same(
    failing(({ enum: values, type }) => values !== undefined && type !== 'string'),
    [],
  );
  t.same(
    failing(({ type, items }) => type === 'array' && items === undefined),
    [],
  );
  t.same(
    failing(({ nullable, type, allOf }) => nullable !== undefined && (type ?? allOf) === undefined),
    [],
  );
  t.same(
    failing((schema) => '$ref' in schema && Object.keys(schema).length > 1),
    [],
  );
  t.same(
    failing(
      ({ type, format }) =>
        (type === 'integer' && format !== 'int64') || (type === 'number' && format !== 'double'),
    ),
    [],
    'no number is cut',
  );
});

t.test('a client that reads takes more than it knows', async (t) => {
  const read = [
    'User',
    'Group',
    'Job',
    'Event',
    'Application',
    'Problem',
    'Error',
    'Userinfo',
    'ProviderMetadata',
  ];
  const isRead = (place: string) =>
    /\/responses\//.test(place) ||
    read.some((name) => `${place}/`.startsWith(`/components/schemas/${name}/`));
  t.same(
    failing(
      ({ type, additionalProperties: others }, place) =>
        isRead(place) && type === 'object' && others === undefined,
    ),
    [],
    'fields that come later, and attributes of an organization',
  );
  t.same(
    failing(({ enum: values }, place) => isRead(place) && values !== undefined),
    [],
    'values that come later',
  );
});

t.test('names become names of programs without a collision', async (t) => {
  for (const schemas of [full.components['schemas'] ?? {}, plain.components.schemas]) {
    const names = Object.keys(schemas);
    // Generators for Go make a function NewX, and a type NullableX, of each X.
    t.same(
      names.filter(
        (name) => names.includes(name.replace(/^(New|Nullable)/, '')) && /^(New|Nullable)/.test(name),
      ),
      [],
    );
    // Generated libraries have such classes themselves. Those for Java import Schema.
    const taken = [
      'Schema',
      'ApiClient',
      'ApiException',
      'ApiResponse',
      'Configuration',
      'Pair',
      'JSON',
      'Response',
    ];
    t.same(
      names.filter((name) => taken.includes(name)),
      [],
    );
    const lower = names.map((name) => name.toLowerCase());
    t.equal(new Set(lower).size, names.length);
  }
  t.same(
    failing(({ enum: values = [] }) => {
      const names = (values as string[]).map((value) => value.toLowerCase().replaceAll(/\W/g, ''));
      return new Set(names).size < names.length || names.includes('');
    }),
    [],
    'values',
  );
});

t.test('it has every operation, parameter, answer and field', async (t) => {
  const described = ({ paths }: Pick<ApiDocument, 'paths'>) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], operationId, responses, requestBody }]) => ({
        ...{ path, method, operationId, hasBody: requestBody !== undefined },
        parameters: (parameters as Part[]).map(({ name, in: place, required }) => ({
          name,
          place,
          required,
        })),
        answers: Object.keys(responses as object),
      })),
    );
  t.same(described(plain as unknown as ApiDocument), described(full));
  for (const { path, parameters } of described(full)) {
    const names = parameters.filter(({ place }) => place === 'path').map(({ name }) => `{${name}}`);
    t.same(names, path.match(/\{\w+\}/g) ?? [], `${path}: the arguments have the order of the path`);
  }
  for (const [name, schema] of Object.entries(plain.components.schemas)) {
    const before = full.components['schemas']?.[name] ?? {};
    // A choice between forms becomes one object with the fields of all, of which those are required that all require.
    const isChoice = before['properties'] === undefined && before['anyOf'] !== undefined;
    const forms = (isChoice ? before['anyOf'] : [before]) as Part[];
    const fields = forms.flatMap(({ properties }) => Object.keys((properties ?? {}) as object));
    t.same(Object.keys((schema['properties'] ?? {}) as object), [...new Set(fields)], name);
    const [first, ...others] = forms.map(({ required }) => required as string[] | undefined);
    const required = first?.filter((field) => others.every((other) => other?.includes(field)));
    t.same(schema['required'], required, name);
  }
  t.same(
    [...JSON.stringify(plain).matchAll(/#\/components\/(\w+)\/([\w-]+)/g)]
      .filter(
        ([, kind = '', name = '']) => (plain.components as Record<string, Part>)[kind]?.[name] === undefined,
      )
      .map(([text]) => text),
    [],
    'every reference leads somewhere',
  );
});
