import type { ImportFile } from './open-import-file.js';

const openBrace = 0x7b;

/** What goes before and behind the text of a file, so that both are the body of an import. */
export function framesOf({
  shape,
  added,
}: Pick<ImportFile, 'shape' | 'added'>): [before: string, behind: string] {
  if (shape === 'export') return [`{${added}"dataOrgsv1":`, '}'];
  if (shape === 'list') return [`{${added}"dataOrgsv1":{"orgs":`, '}}'];
  return shape === 'lines' ? [`{${added}"dataOrgsv1":{"orgs":[`, ']}}'] : ['', ''];
}

/** Bytes that the body has before the text of a file. */
export function bytesBefore(file: Pick<ImportFile, 'shape' | 'added'>): number {
  return file.shape === 'body' ? Buffer.byteLength(file.added) : Buffer.byteLength(framesOf(file)[0]);
}

/** Yields the text of a body with more members, which become its first ones. */
export async function* withMembers(text: AsyncIterable<Buffer>, added: string): AsyncGenerator<Buffer> {
  let isAdded = added === '';
  for await (const piece of text) {
    const at = isAdded ? -1 : piece.indexOf(openBrace);
    if (at >= 0) {
      isAdded = true;
      yield piece.subarray(0, at + 1);
      yield Buffer.from(added);
    }
    yield piece.subarray(at + 1);
  }
}
