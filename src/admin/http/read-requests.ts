import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { Settings } from 'typebox/system';
import { directoryErrors } from '#src/directory/index.js';
import { httpErrors } from '#src/http/base/errors.js';
import { readBody } from '#src/http/bodies/read-body.js';
import { AppError, maxViolations } from '#src/platform/errors.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { measureJson } from '#src/platform/json/measure-json.js';
import { schemaViolations } from './schema-violations.js';

/** The most errors that a schema finds in one value. */
Settings.Set({ maxErrors: 100 });

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
      if (body === '') return done(null, undefined);
      const fault = faultOf(body);
      return fault === undefined ? parseJson(request, body, done) : done(fault);
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
    // It is made when it is first used, as serializers are: a process may never need most of them.
    let check: ReturnType<typeof TypeBoxValidatorCompiler> | undefined;
    return (value) => {
      // As for a body: a value has the type of the schema, or is wrong. The compiler would take true for 1 in a query.
      check ??= TypeBoxValidatorCompiler({ ...route, httpPart: 'body' });
      return check(route.httpPart === 'querystring' ? withIntegers(route.schema, value) : value);
    };
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

/** The deepest nesting of objects and arrays in a body. The limit also bounds recursion over a body. */
const maxDepth = 21;
/** The most members, objects and arrays of a body. Each takes some microseconds, in which the process serves nobody else. */
const maxParts = 5_000;

/** Returns an error for a body that must not be parsed. */
function faultOf(body: string): AppError | undefined {
  const { depth, values } = measureJson(body);
  if (depth > maxDepth)
    return new AppError(httpErrors.bodyMalformed, {
      detail: `Values are nested too deeply: more than ${maxDepth} levels`,
    });
  if (values > maxParts)
    return new AppError(httpErrors.bodyTooLarge, { detail: `The body has more than ${maxParts} members` });
  return undefined;
}

/** @throws AppError `http.bodyMalformed` if a key is given in both spellings */
function readKeys(value: unknown): unknown {
  const read = withCamelCaseKeys(value);
  if (read !== undefined) return read;
  throw new AppError(httpErrors.bodyMalformed, { detail: 'A property is given in two spellings' });
}

/** Returns an error with the first problem and its place, and with all of them as violations. */
function explain(errors: FastifySchemaValidationError[], part: string): Error {
  const violations = schemaViolations(errors).slice(0, maxViolations);
  const [first] = errors.filter(({ keyword }) => keyword !== 'boolean');
  const [meant] = violations;
  const isUnion = errors.some(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === '');
  const place = `${part}${first?.instancePath ?? ''}`;
  const unknown = first?.params?.['additionalProperties'];
  // The first problem may be that of another branch.
  if (isUnion && meant !== undefined) {
    const detail = `${[part, ...meant.path].join('/')} ${meant.detail}`;
    return new AppError(httpErrors.bodyMalformed, { detail, violations });
  }
  const detail = Array.isArray(unknown)
    ? `${place} has no property ${unknown.map((name) => JSON.stringify(name)).join(', ')}`
    : `${place} ${first?.message ?? 'is not valid'}`;
  const definition = part === 'body' ? httpErrors.bodyMalformed : directoryErrors.valueInvalid;
  return new AppError(definition, { detail, violations });
}
