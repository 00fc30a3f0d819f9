/** How a table is written. */
export interface TableForm {
  /** The names of the columns, if the first line does not have them. */
  readonly columns?: readonly string[];
  /** The character between two cells. If absent, the first line decides. */
  readonly delimiter?: string | undefined;
}

/** The characters that stand between cells. Of those that the first line has equally often, the first counts. */
const delimiters = [',', ';', '\t', '|'];
const longestHeader = 64 * 1024;
/** What ends a line. Without this list, the parser looks for the first line end in a way that takes seconds for a long line. */
export const lineEnds: string[] = ['\r\n', '\n', '\r'];

/**
 * Returns how a table is written, by its first bytes. Excel may say it in a line of its own, `sep=;`.
 * @param form what the caller says: it counts
 */
export function tableForm(
  head: Buffer,
  { delimiter, columns }: TableForm,
): { readonly delimiter: string; readonly ownLine: boolean } {
  const text = head.toString('utf8', 0, longestHeader);
  const [, said] = /^sep=([^"\r\n])\r?\n/i.exec(text) ?? [];
  if (said !== undefined) return { delimiter: delimiter ?? said, ownLine: true };
  return { delimiter: delimiter ?? (columns === undefined ? delimiterOf(text) : ','), ownLine: false };
}

/** The character that stands between the cells of a header: the one that it has most often outside of quotation marks. */
function delimiterOf(text: string): string {
  const counts = new Map(delimiters.map((one) => [one, 0]));
  let isQuoted = false;
  for (const character of text.trimStart()) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted) {
      const count = counts.get(character);
      if (count !== undefined) counts.set(character, count + 1);
    }
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? ',';
}
