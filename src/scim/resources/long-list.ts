import type { Projection } from './project-attributes.js';
import type { ScimResource } from './scim-resource.js';

/** Values of a long list that are read at once. A group with more members is sent in parts. */
export const valuesAtOnce = 1_000;

/** JSON as a text, in parts that are in memory, or in parts that are read while they are sent. */
export type JsonBody = string | Buffer[] | AsyncGenerator<string | Buffer>;

/** A value that is in memory, or one that is read. */
export type MaybeRead<T> = T | Promise<T>;

/** How a response computes beside others: see `ListWork`. */
export interface Slices {
  turn(): Promise<void>;
  stop(): void;
  readPart<T>(read: () => Promise<T>): Promise<T>;
}

/** A list of a resource that is read in pages, in the order of identifiers. */
export interface PagedList {
  /** The attribute. */
  readonly name: string;
  /** The identifiers behind one. */
  page(after: string | undefined): Promise<string[]>;
  /** The values that exist, with their names. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  render(id: string, name: string): ScimResource;
}

/**
 * Yields the JSON of a resource in parts. Its list is read while the parts are taken.
 * @param resource the resource without the list
 */
export async function* withLongList(
  resource: ScimResource,
  { name, page, names, render }: PagedList,
  { projection, slices }: { projection: Projection; slices: Slices },
): AsyncGenerator<string> {
  yield JSON.stringify(resource).slice(0, -1);
  let opening = `,"${name}":[`;
  let after: string | undefined;
  try {
    do {
      const from = after;
      const { ids, named } = await slices.readPart(async () => {
        const ids = await page(from);
        return { ids, named: await names(ids) };
      });
      await slices.turn();
      const values = shownValues(ids, named, { name, render, projection });
      const text = values.length > 0 ? opening + JSON.stringify(values).slice(1, -1) : '';
      // The time until the client takes the part is no time of computing.
      slices.stop();
      if (text !== '') {
        yield text;
        opening = ',';
      }
      after = ids.length < valuesAtOnce ? undefined : ids.at(-1);
    } while (after !== undefined);
    yield opening === ',' ? ']}' : '}';
  } finally {
    slices.stop();
  }
}

/** The values that still exist, with the parts that the client wants. */
export function shownValues(
  ids: readonly string[],
  names: ReadonlyMap<string, string>,
  { name, render, projection }: Pick<PagedList, 'name' | 'render'> & { projection: Projection },
): unknown[] {
  const values = ids.flatMap((id) => {
    const shown = names.get(id);
    return shown === undefined ? [] : [render(id, shown)];
  });
  return (projection.project({ [name]: values })[name] ?? []) as unknown[];
}
