/** How a list is read in the order of its positions. */
export interface PageReader<T, Position = string> {
  readonly limit: number;
  /** What comes after a position, at most `limit` of it; from the start where it is undefined. */
  read(after: Position | undefined): Promise<readonly T[]>;
  readonly positionOf: (item: NoInfer<T>) => NoInfer<Position>;
}

/** The pages of a list, none of them empty; the next one is fetched while this one is worked on. */
export async function* pagesOf<T, Position = string>({
  limit,
  read,
  positionOf,
}: PageReader<T, Position>): AsyncGenerator<readonly T[]> {
  let coming: Promise<readonly T[]> | undefined = read(undefined);
  while (coming !== undefined) {
    const page: readonly T[] = await coming;
    const last = page.length < limit ? undefined : page.at(-1);
    coming = last === undefined ? undefined : read(positionOf(last));
    // Whoever stops reading leaves this one behind.
    coming?.catch(() => undefined);
    if (page.length > 0) yield page;
  }
}
