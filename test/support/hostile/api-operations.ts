import type { FastifyInstance } from 'fastify';

/** The part of a JSON Schema that tests read. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

/** One method of one address in the published document. */
export interface ApiOperation {
  /** Its operationId, or for example `GET /healthz` if it has none. */
  readonly id: string;
  readonly method: string;
  /** For example `/admin/v1/orgs/{orgId}`. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
}

interface Published {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Every operation of the published document, so that a test made from them covers every route. */
export async function apiOperations(app: FastifyInstance): Promise<ApiOperation[]> {
  const { payload } = await app.inject('/openapi.json');
  const { paths, components } = JSON.parse(payload) as {
    paths: Record<string, Record<string, Published>>;
    components: { schemas: Record<string, Schema> };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, published]) => {
      const method = name.toUpperCase();
      const { operationId, tags = [], parameters = [], requestBody } = published;
      const given = Object.values(requestBody?.content ?? {})[0]?.schema;
      const body = given && (withoutReferences(given, components.schemas) as Schema);
      return { id: operationId ?? `${method} ${path}`, method, path, tags, parameters, body };
    }),
  );
}

/** A part of the document, with the shared schemas in the place of the references to them. */
function withoutReferences(part: unknown, schemas: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(part)) return part.map((one) => withoutReferences(one, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref } = part as { $ref?: string };
  if ($ref !== undefined) return withoutReferences(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withoutReferences(value, schemas)]),
  );
}

/** The names of the parameters of an address. */
export function placeholders({ path }: Pick<ApiOperation, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * The address with its parameters filled in.
 * @throws Error if a value is missing. Then the test needs a value for a new kind of parameter.
 */
export function addressOf(operation: ApiOperation, values: Readonly<Record<string, string>>): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`The test knows no value for {${name}} of ${operation.method} ${operation.path}`);
    }
    return encodeURIComponent(value);
  });
}

/**
 * Every served route, such as `GET /admin/v1/orgs/:`, published or not. HEAD and OPTIONS are left out.
 * @throws Error if the router lists a route in a form that this function cannot read
 */
export function registeredRoutes(app: FastifyInstance): string[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      if (part === '' && line.trim() !== '') throw new Error(`Not a route: ${line}`);
      if (part === '') return [];
      const depth = indent.length / 4;
      const path = (parents[depth - 1] ?? '') + part.replace(/:\w+(\|:\w+)*/g, ':');
      parents[depth] = path;
      const served = methods.split(', ').filter((method) => !['HEAD', 'OPTIONS'].includes(method));
      return served.map((method) => `${method} ${path}`);
    });
}
