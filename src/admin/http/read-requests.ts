import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { directoryErrors } from '#src/directory/errors.js';
import { httpErrors } from '#src/http/errors.js';
import { AppError } from '#src/platform/errors.js';

/**
 * How requests of this scope are read: JSON bodies, keys in snake_case or lowerCamelCase, values of bodies exactly
 * of the type that the schema says, unknown properties refused by name. An absent body is an empty object, and
 * other media types are answered 415.
 */
export function readRequests(scope: FastifyInstance): void {
  const parseJson = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients that set the header on every request send nothing with DELETE.
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
  scope.addContentTypeParser('*', (_request, _body, done) => done(new AppError(httpErrors.notJson)));
  scope.addHook('preValidation', async (request) => {
    request.query = withCamelCaseKeys(request.query);
    request.body = request.body === undefined ? {} : withCamelCaseKeys(request.body);
  });
  scope.setValidatorCompiler(TypeBoxValidatorCompiler);
  scope.setSchemaErrorFormatter(explain);
}

/** No request has deeper values. */
const maxDepth = 20;

/** @throws AppError `http.bodyMalformed` when a key is given in both spellings, or values are nested too deeply */
export function withCamelCaseKeys(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth)
    throw new AppError(httpErrors.bodyMalformed, { detail: 'Values are nested too deeply' });
  if (Array.isArray(value)) return value.map((item) => withCamelCaseKeys(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [
    toCamelCase(key),
    withCamelCaseKeys(item, depth + 1),
  ]);
  const result = Object.fromEntries(entries);
  if (Object.keys(result).length < entries.length) {
    throw new AppError(httpErrors.bodyMalformed, { detail: 'A property is given in two spellings' });
  }
  return result;
}

function toCamelCase(key: string): string {
  return key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The first thing that is wrong, with the place it is at. */
function explain(errors: FastifySchemaValidationError[], part: string): Error {
  const [first] = errors.filter(({ keyword }) => keyword !== 'boolean');
  const place = `${part}${first?.instancePath ?? ''}`;
  const unknown = first?.params?.['additionalProperties'];
  const detail = Array.isArray(unknown)
    ? `${place} has no property ${unknown.map((name) => JSON.stringify(name)).join(', ')}`
    : `${place} ${first?.message ?? 'is not valid'}`;
  return new AppError(part === 'body' ? httpErrors.bodyMalformed : directoryErrors.valueInvalid, { detail });
}
