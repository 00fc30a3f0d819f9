import { type Description, type JsonSchema, keywordsOf } from '../base/description.js';
import type { DescribedRoute } from './collect-routes.js';

type ParameterLocation = 'path' | 'query' | 'header';

/**
 * The parameters of a route, from object schemas of its path, query and headers. Those of the path have its order, which is that of
 * the arguments in a generated client.
 */
export function parametersOf({ path, schema }: DescribedRoute, described: Description) {
  const given = propertiesOf((described.params ?? schema.params) as JsonSchema | undefined);
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
      parameterOf('path', name, { schema: given[name] ?? { type: 'string' }, required: true }),
    ),
    ...listed('query', (described.querystring ?? schema.querystring) as JsonSchema | undefined),
    ...listed('header', (described.headers ?? schema.headers) as JsonSchema | undefined),
  ];
}

function propertiesOf(object: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
  return (object === undefined ? {} : (keywordsOf(object)['properties'] ?? {})) as Readonly<
    Record<string, JsonSchema>
  >;
}

function listed(location: ParameterLocation, object: JsonSchema | undefined) {
  const required = (object === undefined ? [] : (keywordsOf(object)['required'] ?? [])) as readonly string[];
  return Object.entries(propertiesOf(object)).map(([name, schema]) =>
    parameterOf(location, name, { schema, required: required.includes(name) }),
  );
}

function parameterOf(
  location: ParameterLocation,
  name: string,
  { schema, required }: { schema: JsonSchema; required: boolean },
) {
  const { description, examples, ...rest } = keywordsOf(schema);
  const [example] = Array.isArray(examples) ? examples : [];
  return {
    name,
    in: location,
    ...(description !== undefined && { description }),
    required,
    ...(example !== undefined && { example }),
    schema: rest,
  };
}
