import { isJsonObject } from '#src/platform/json/json-object.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { withInputText } from '../../text/input-text.js';
import { type ElementSource, eachElement } from './each-element.js';
import { eachLine } from './each-line.js';

/**
 * Visits the objects of a JSON file. The file is an array, an object with one of the named arrays, or has one object on each
 * line. A blank file has none.
 * @param source `hasLines`: the usual form of the file is one object on each line, so that a first line with a fault is a problem of this line
 * @throws StartError when the file cannot be read or is no JSON document; the reason of the signal when it aborts
 */
export async function eachRecord(
  source: ElementSource & { readonly hasLines?: boolean },
  visit: (text: string, line: number) => void,
): Promise<void> {
  await withInputText(source, async (text) => {
    const open = { ...source, text };
    const form = formOf(await text.beginning(maxRecordBytes, source.signal), source);
    if (form === 'lines') await eachLine(open, visit);
    else if (form === 'document') await eachElement({ ...open, isList: true }, visit);
  });
}

/** A file has lines if the first one is an object without any of the named arrays. */
function formOf(
  beginning: Buffer,
  { members, hasLines = false }: Parameters<typeof eachRecord>[0],
): 'lines' | 'document' | 'blank' {
  const text = beginning.toString().trimStart();
  if (text === '') return beginning.length < maxRecordBytes ? 'blank' : 'document';
  try {
    const value: unknown = JSON.parse(text.split('\n', 1)[0] ?? '');
    const isRecord = isJsonObject(value) && !members.some((member) => Array.isArray(value[member]));
    return isRecord ? 'lines' : 'document';
  } catch {
    const inner = text.slice(1).trimStart();
    const begins = text.startsWith('[') || members.some((member) => inner.startsWith(JSON.stringify(member)));
    return hasLines && !begins ? 'lines' : 'document';
  }
}
