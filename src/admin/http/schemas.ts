import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { refusedValue, type ValueShape } from '#src/directory/index.js';
import { problemContent, type problemSchema } from '#src/http/base/problem-schema.js';

/** What the document of the API says of a schema, and nothing checks. */
interface Remarks {
  readonly description?: string;
  /** A test sends the examples of bodies. */
  readonly examples?: readonly object[];
  /** Keywords for what use cases check besides, with errors that say more. */
  readonly ruled?: object;
}

/** Returns the schema of an object that takes the named properties and no others. */
export function strictObject<T extends Record<string, TSchema>>(
  properties: T,
  remarks: Remarks = {},
): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...remarks });
}

/** Returns the schema of a text of which a use case checks the shape. The bound limits the work of the check. */
export function shapedText(maxLength: number, ruled: ValueShape, description?: string) {
  return Type.String({ maxLength, ruled, ...(description !== undefined && { description }) });
}

/** Returns, for `ruled`, that an object has at most one of two properties. */
export function notBoth(one: string, other: string) {
  return { anyOf: [{ properties: { [one]: false } }, { properties: { [other]: false } }] };
}

/** Says in `described` of a route that its response with 201 has the header `Location`. */
export const located = { responseHeaders: { 201: ['Location'] } } as const;

export const timestamp = Type.String({ format: 'date-time' });

/**
 * Returns the time of a checked {@link timestamp}. The schema permits leap seconds, but a Date has none.
 * @param path names it in errors
 * @throws AppError `directory.valueInvalid` for a leap second
 */
export function toDate(text: string, path = 'expires'): Date {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw refusedValue(path, 'moment', `${text} is not a moment in time`);
}

/** Returns the schema of a text in a change. `null` removes the text. A use case checks the shape. */
export function removableText(maxLength: number, ruled: ValueShape) {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength,
    description: 'null removes it',
    ruled,
  });
}

/** The version of an object in a response. */
export const version = Type.Integer({ description: 'Increases with every change' });

/** The version in a change. */
export const expectedVersion = Type.Optional(
  Type.Integer({ description: 'The version that you read. If the object has another one, nothing changes' }),
);

export const noContent = Type.Null({ description: 'Done' });

type ProblemResponses<Status extends number> = { [S in Status | 401 | 403 | 503]: typeof problemSchema };

/**
 * Returns the error responses that a route names. The document of the API adds what every route may answer, such as 429, and
 * explains each status.
 */
export function problems<Status extends number>(...statuses: Status[]): ProblemResponses<Status> {
  const all = [...statuses, 401, 403, 503];
  return Object.fromEntries(
    all.map((status) => [status, { content: problemContent() }]),
    // The type provider knows only plain schemas. The serialized document is the same.
  ) as unknown as ProblemResponses<Status>;
}

export const security = [{ bearer: [] }];

const identifier = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

export const orgParams = Type.Object({ orgId: identifier('Organization') });
export const userParams = Type.Object({ orgId: identifier('Organization'), id: identifier('User') });
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
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'The most items. A page also ends after about 1 MiB',
    }),
  ),
});

/** The query of a list that also counts. */
export const includeTotal = Type.Optional(
  Type.Enum(['true', 'false'], { description: 'Whether the response also has `total`, an exact count' }),
);

/** {@link pageOf} with a total, if the request wants it. */
export function countedPageOf<T extends TSchema>(item: T) {
  return Type.Object({
    ...pageOf(item).properties,
    total: Type.Optional(Type.Integer({ minimum: 0, description: 'How many the list has, on all pages' })),
  });
}

/** The page with the total, if the request wants it. They are read together. */
export async function withTotal<T extends object>(
  { includeTotal: wanted }: { readonly includeTotal?: string },
  page: Promise<T>,
  count: () => Promise<number | undefined>,
): Promise<T & { total?: number }> {
  const [found, total] = await Promise.all([page, wanted === 'true' ? count() : undefined]);
  return { ...found, ...(total !== undefined && { total }) };
}

export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    next: Type.Optional(
      Type.String({ description: 'Send it as `after` for the next page; absent on the last' }),
    ),
  });
}

/** Finds the items of a page, as a whole or in portions. */
export type FindPage<T> = (query: {
  after?: string;
  limit: number;
}) => Promise<readonly T[]> | AsyncIterable<readonly T[]>;

interface Page<A> {
  items: A[];
  next?: string;
}

/** A page ends after so much JSON. Its first item may have more. In characters. */
const pageLength = 1_048_576;

/** Answers a page of a list in the order of identifiers. */
export function answerPage<T extends { readonly id: string }, A>(
  query: Static<typeof pageQuery>,
  find: FindPage<T>,
  toResponse: (item: T) => A,
): Promise<Page<A>> {
  return answerKeyedPage(query, find, { toResponse, keyOf: ({ id }) => id });
}

/**
 * Answers a page of a list in the order of another key. It reads one more item, to know whether another page follows. A page of large
 * items ends before the limit.
 */
export async function answerKeyedPage<T, A>(
  { after, limit = 50 }: Static<typeof pageQuery>,
  find: FindPage<T>,
  { toResponse, keyOf }: { toResponse: (item: T) => A; keyOf: (item: T) => string },
): Promise<Page<A>> {
  const items: A[] = [];
  let last: T | undefined;
  let length = 0;
  const found = find({ ...(after !== undefined && { after }), limit: limit + 1 });
  for await (const portion of 'then' in found ? [await found] : found) {
    for (const item of portion) {
      const shown = toResponse(item);
      length += JSON.stringify(shown).length;
      const isFull = items.length === limit || (last !== undefined && length > pageLength);
      if (isFull) return { items, ...(last !== undefined && { next: keyOf(last) }) };
      items.push(shown);
      last = item;
    }
  }
  return { items };
}
