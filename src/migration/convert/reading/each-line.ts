import { isUtf8 } from 'node:buffer';
import { maxRecordBytes } from '../../format/record-size.js';
import { type InputSource, withInputText } from '../../text/input-text.js';
import type { KnownProblem } from './conversion-problems.js';
import { type Problems, refusal } from './problems.js';

/** An input with one record on each line. */
export interface LineSource extends InputSource {
  readonly problems: Pick<Problems, 'add'>;
  /** Visits blank lines too. */
  readonly keepsBlank?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Visits every line that is not blank, with its number from 1. Lines that are too long or not UTF-8 become problems.
 * Holds one block of the file. The file may be a pipe.
 * @throws StartError when the file cannot be read; the reason of the signal when it aborts
 */
export async function eachLine(
  source: LineSource,
  visit: (text: string, line: number) => void,
): Promise<void> {
  const { path, problems, keepsBlank = false, signal } = source;
  const buffer = Buffer.allocUnsafe(2 * maxRecordBytes);
  let line = 1;
  let tooLong = false;

  const take = (start: number, end: number) => {
    const error = (known: KnownProblem) => problems.add(refusal({ file: path, line }, known));
    const last = end > start && buffer[end - 1] === carriageReturn ? end - 1 : end;
    if (tooLong || last - start > maxRecordBytes) error({ id: 'tooLong', params: { most: maxRecordBytes } });
    else if (!isUtf8(buffer.subarray(start, last))) error({ id: 'notUtf8', params: {} });
    else {
      const text = buffer.toString('utf8', start, last);
      if (keepsBlank || text.trim() !== '') visit(text, line);
    }
    tooLong = false;
    line++;
  };

  await withInputText(source, async (file) => {
    let held = 0;
    for (;;) {
      signal?.throwIfAborted();
      const bytesRead = await file.read(buffer, held, maxRecordBytes);
      if (bytesRead === 0) break;
      const end = held + bytesRead;
      const block = buffer.subarray(0, end);
      let start = 0;
      for (let border = block.indexOf(lineFeed, held); border >= 0; border = block.indexOf(lineFeed, start)) {
        take(start, border);
        start = border + 1;
      }
      held = end - start;
      if (held >= maxRecordBytes) {
        tooLong = true;
        held = 0;
      } else {
        buffer.copyWithin(0, start, end);
      }
    }
    if (held > 0 || tooLong) take(0, held);
  });
}
