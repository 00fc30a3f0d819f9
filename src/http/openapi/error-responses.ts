import type { HeaderName } from '../base/description.js';
import { type ErrorForm, problemForm } from '../base/error-form.js';
import type { DescribedRoute } from './collect-routes.js';

interface ErrorStatus {
  /** The end of the name of its response in the document. */
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly HeaderName[];
}

/** Every status of an error. A response with one has the same meaning and headers in every room. */
const statuses: Readonly<Record<number, ErrorStatus>> = {
  400: { name: 'BadRequest', description: 'The request is malformed, or a value is not valid' },
  401: {
    name: 'Unauthorized',
    description: 'There are no credentials, or they are not valid',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The caller lacks the permission, or its token the scope, or a quota is used up',
    headers: ['WWW-Authenticate'],
  },
  404: { name: 'NotFound', description: 'There is no such object, or none that the caller may reach' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The address has other methods. Allow names them',
    headers: ['Allow'],
  },
  408: {
    name: 'RequestTimeout',
    description: 'The request did not arrive in time',
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with what exists. Retry-After says if that ends by itself',
    headers: ['Retry-After'],
  },
  412: { name: 'PreconditionFailed', description: 'The object has another version than the request says' },
  413: { name: 'ContentTooLarge', description: 'The body is too large, or the method takes no body' },
  414: { name: 'UriTooLong', description: 'The path has more than 8192 characters' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body has a media type or a coding that is not supported',
    headers: ['Accept-Encoding'],
  },
  429: {
    name: 'TooManyRequests',
    description: 'The address, the caller or the organization sent too many requests',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  431: {
    name: 'RequestHeaderFieldsTooLarge',
    description: 'The address and the headers have more than 32768 bytes',
  },
  500: { name: 'InternalServerError', description: 'A fault of the service' },
  503: {
    name: 'ServiceUnavailable',
    description: 'A store is away, or the process has more work than it can do',
    headers: ['Retry-After'],
  },
  504: { name: 'GatewayTimeout', description: 'The work took longer than the timeout of the request' },
};

/** A response that several operations share, with its name in the document. */
export interface ErrorResponse extends ErrorStatus {
  readonly form: ErrorForm;
}

/**
 * The errors of a route by their status: those that every route of its kind can give, and those that its schema names.
 */
export function errorResponses(
  route: DescribedRoute,
  named: readonly number[],
): Record<number, ErrorResponse> {
  const { errorForm = problemForm } = route.facts;
  const all = [...new Set([...usualStatuses(route, errorForm), ...named])].sort();
  return Object.fromEntries(
    all.flatMap((status) => {
      const found = statuses[status];
      const isProblem = isUnread(status) || (status === 405 && !errorForm.forUnknownMethods);
      const form = isProblem ? problemForm : errorForm;
      if (found === undefined) return [];
      const headers = [...(found.headers ?? []), ...(form.headers?.[status] ?? [])];
      return [[status, { ...found, headers, form }] as const];
    }),
  );
}

/** What the hooks of all routes, and the hooks of the room, can answer. */
function usualStatuses({ method, path, schema, facts }: DescribedRoute, form: ErrorForm): number[] {
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const needsToken = schema.security?.some((one) => 'bearer' in one) ?? false;
  const refusesMedia =
    form.unsupportedMedia === 'changes' ? method !== 'GET' : form.unsupportedMedia === 'bodies' && hasBody;
  return [
    400,
    405,
    408,
    413,
    431,
    500,
    ...(needsToken ? [401, 403] : []),
    ...(path.includes('{') ? [414] : []),
    ...(refusesMedia ? [415] : []),
    ...(facts.probe ? [] : [429]),
    ...(facts.needsNoStore ? [] : [503]),
  ];
}

/** Whether requests with the status reach no route, because the server cannot read them. */
function isUnread(status: number): boolean {
  return status === 408 || status === 431;
}
