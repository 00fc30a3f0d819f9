import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { directoryErrors } from '#src/directory/errors.js';
import { readBody } from '#src/http/bodies/read-body.js';
import { httpErrors } from '#src/http/errors.js';
import { AppError } from '#src/platform/errors.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';

/**
 * Sets how this scope reads requests. Bodies are JSON. Keys are in snake_case or lowerCamelCase. Values have exactly
 * the type of the schema. An unknown property is refused, and the error names it. An absent body counts as an empty
 * object, except in a change (PATCH). Other media types get 415.
 */
export function readRequests(scope: FastifyInstance): void {
  const parseJson = scope.getDefaultJsonParser('error', 'error');
  scope.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(request, payload).then((body) => {
      // Clients that set the header on every request send it with DELETE and no body.
      if (body === '') done(null, undefined);
      else parseJson(request, body, done);
    }, done);
  });
  scope.addContentTypeParser('*', (_request, _body, done) => done(new AppError(httpErrors.notJson)));
  scope.addHook('preValidation', async (request) => {
    request.query = readKeys(request.query);
    if (request.body === undefined && request.method === 'PATCH') {
      throw new AppError(httpErrors.bodyMalformed, { detail: 'A change needs a body' });
    }
    request.body = request.body === undefined ? {} : readKeys(request.body);
  });
  scope.setValidatorCompiler((route) => {
    // As for a body: a value has the type of the schema, or is wrong. The compiler would take true for 1 in a query.
    const check = TypeBoxValidatorCompiler({ ...route, httpPart: 'body' });
    return (value) => check(route.httpPart === 'querystring' ? withIntegers(route.schema, value) : value);
  });
  scope.setSchemaErrorFormatter(explain);
}

/** A query in which the texts of integers are numbers, where the schema wants integers. */
function withIntegers(schema: unknown, query: unknown): unknown {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  const read = Object.entries(query ?? {}).map(([name, value]) => {
    const isInteger = properties[name]?.type === 'integer' && /^-?\d{1,15}$/.test(String(value));
    return [name, isInteger && typeof value === 'string' ? Number(value) : value] as const;
  });
  return Object.fromEntries(read);
}

/** Deepest nesting of objects and arrays in a request. */
const maxLevels = 21;

/** @throws AppError `http.bodyMalformed` if a key is given in both spellings, or values are nested too deeply */
function readKeys(value: unknown): unknown {
  if (isNestedDeeper(value, maxLevels)) {
    throw new AppError(httpErrors.bodyMalformed, { detail: 'Values are nested too deeply' });
  }
  const read = withCamelCaseKeys(value);
  if (read !== undefined) return read;
  throw new AppError(httpErrors.bodyMalformed, { detail: 'A property is given in two spellings' });
}

/** Returns whether a value has more levels of objects and arrays than this. The limit also bounds the recursion. */
function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isNestedDeeper(item, levels - 1));
}

/** Returns an error with the first problem and its place. */
function explain(errors: FastifySchemaValidationError[], part: string): Error {
  const [first] = errors.filter(({ keyword }) => keyword !== 'boolean');
  const place = `${part}${first?.instancePath ?? ''}`;
  const unknown = first?.params?.['additionalProperties'];
  const detail = Array.isArray(unknown)
    ? `${place} has no property ${unknown.map((name) => JSON.stringify(name)).join(', ')}`
    : `${place} ${first?.message ?? 'is not valid'}`;
  return new AppError(part === 'body' ? httpErrors.bodyMalformed : directoryErrors.valueInvalid, { detail });
}
