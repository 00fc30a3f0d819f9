import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { directoryErrors } from '#src/directory/errors.js';
import { AppError } from '#src/platform/errors.js';

/** Returns the schema of an object that takes the named properties and no others. */
export function strictObject<T extends Record<string, TSchema>>(
  properties: T,
  description?: string,
): TObject<T> {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(description !== undefined && { description }),
  });
}

export const timestamp = Type.String({ format: 'date-time' });

/**
 * Returns the time of a checked {@link timestamp}. The schema permits leap seconds, but a Date has none.
 * @throws AppError `directory.valueInvalid` for a leap second
 */
export function toDate(text: string): Date {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new AppError(directoryErrors.valueInvalid, { detail: `${text} is not a moment in time` });
}

/** Returns the schema of a text in a change. `null` removes the text. */
export function removableText(maxLength: number) {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength,
    description: 'null removes it',
  });
}

/** The version of an object in a response. */
export const version = Type.Integer({ description: 'Increases with every change' });

/** The version in a change. */
export const expectedVersion = Type.Optional(
  Type.Integer({ description: 'The version that you read. If the object has another one, nothing changes' }),
);

export const noContent = Type.Null({ description: 'Done' });

const problem = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    id: Type.String({ description: 'Stable identifier of the error; docs/errors.md lists them' }),
  },
  { description: 'Problem details (RFC 9457)' },
);

type ProblemResponses<Status extends number> = { [S in Status | 401 | 403 | 503]: typeof problem };

const descriptions: Record<number, string> = {
  400: 'The request is malformed or a value is not valid',
  401: 'No token, or one that is not valid',
  403: 'The caller lacks the permission',
  404: 'Not found, or out of reach of the caller',
  409: 'Conflicts with an existing object',
  412: 'The object has another version than the request says',
  413: 'The body is too large',
  415: 'The body has a coding other than gzip',
  504: 'It took longer than the timeout of the request',
  503: 'A store is away or busy; try again after Retry-After seconds',
};

/** Returns the error responses of a route: the given statuses, and those that every route may answer. */
export function problems<Status extends number>(...statuses: Status[]): ProblemResponses<Status> {
  const all = [...statuses, 401, 403, 503];
  return Object.fromEntries(
    all.map((status) => [
      status,
      { description: descriptions[status], content: { 'application/problem+json': { schema: problem } } },
    ]),
    // The type provider knows only plain schemas. The serialized document is the same.
  ) as unknown as ProblemResponses<Status>;
}

export const security = [{ bearer: [] }];

const identifier = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

export const orgParams = Type.Object({ orgId: identifier('Organization') });
export const serviceUserParams = Type.Object({
  orgId: identifier('Organization'),
  id: identifier('Service user'),
});
export const projectParams = Type.Object({
  orgId: identifier('Organization'),
  projectId: identifier('Project'),
});
export const applicationParams = Type.Object({
  orgId: identifier('Organization'),
  id: identifier('Application, also its client_id'),
});

export const pageQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 200, description: 'The `next` of the page before' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    next: Type.Optional(
      Type.String({ description: 'Send it as `after` for the next page; absent on the last' }),
    ),
  });
}

type FindPage<T> = (query: { after?: string; limit: number }) => Promise<T[]>;

interface Page<A> {
  items: A[];
  next?: string;
}

/** Answers a page of a list in the order of identifiers. */
export function answerPage<T extends { readonly id: string }, A>(
  query: Static<typeof pageQuery>,
  find: FindPage<T>,
  present: (item: T) => A,
): Promise<Page<A>> {
  return answerKeyedPage(query, find, { present, keyOf: ({ id }) => id });
}

/**
 * Answers a page of a list in the order of another key. It reads one more item, to know whether another page follows.
 */
export async function answerKeyedPage<T, A>(
  { after, limit = 50 }: Static<typeof pageQuery>,
  find: FindPage<T>,
  { present, keyOf }: { present: (item: T) => A; keyOf: (item: T) => string },
): Promise<Page<A>> {
  const found = await find({ ...(after !== undefined && { after }), limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(present),
    ...(found.length > limit && last !== undefined && { next: keyOf(last) }),
  };
}
