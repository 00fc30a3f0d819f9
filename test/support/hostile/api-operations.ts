import type { FastifyInstance } from 'fastify';

/** A JSON Schema, as far as tests look into it. */
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

/** One method of one address, as the service publishes it. */
export interface ApiOperation {
  /** Its operationId, or `GET /healthz` where it has none. */
  readonly id: string;
  readonly method: string;
  /** Such as `/admin/v1/orgs/{orgId}`. */
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

/** Every operation of the published document, so that a test made of them forgets no route. */
export async function apiOperations(app: FastifyInstance): Promise<ApiOperation[]> {
  const { payload } = await app.inject('/openapi.json');
  const { paths }: { paths: Record<string, Record<string, Published>> } = JSON.parse(payload);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, published]) => {
      const method = name.toUpperCase();
      const { operationId, tags = [], parameters = [], requestBody } = published;
      const body = Object.values(requestBody?.content ?? {})[0]?.schema;
      return { id: operationId ?? `${method} ${path}`, method, path, tags, parameters, body };
    }),
  );
}

/** The names of the parameters of an address. */
export function placeholders({ path }: Pick<ApiOperation, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * The address with its parameters filled in.
 * @throws Error when a value is missing: a new kind of parameter that a test must learn about
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
 * Every route that is served, such as `GET /admin/v1/orgs/:`, published or not; without HEAD and OPTIONS.
 * @throws Error when the router lists one in a way that this does not read
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
