/** Reads a list in the order of its positions. */
interface PageReader<T, Position = string> {
  readonly limit: number;
  /** At most `limit` items after a position, or from the start. */
  read(after: Position | undefined): Promise<readonly T[]>;
  readonly positionOf: (item: NoInfer<T>) => NoInfer<Position>;
}

/** The pages of a list, without empty ones. While the caller works on a page, the next one is fetched. */
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
    // If the caller stops reading, no code awaits this page. Its failure must not end the process.
    coming?.catch(() => undefined);
    if (page.length > 0) yield page;
  }
}
