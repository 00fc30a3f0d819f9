import { isJsonObject } from '#src/platform/json/json-object.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { withInputText } from '../../text/input-text.js';
import { type ElementSource, eachElement } from './each-element.js';
import { eachLine } from './each-line.js';

/**
 * Visits the objects of a JSON file. The file is an array, an object with one of the named arrays, or has one object on each
 * line.
 * @throws StartError when the file cannot be read or is no JSON document; the reason of the signal when it aborts
 */
export async function eachRecord(
  source: ElementSource,
  visit: (text: string, line: number) => void,
): Promise<void> {
  if (await hasLines(source)) await eachLine(source, visit);
  else await eachElement({ ...source, isList: true }, visit);
}

/** Whether the first line is an object without any of the named arrays. */
async function hasLines({ path, members }: ElementSource): Promise<boolean> {
  const beginning = await withInputText(path, (text) => text.beginning(maxRecordBytes));
  const [first = ''] = beginning.toString().trimStart().split('\n', 1);
  try {
    const value: unknown = JSON.parse(first);
    return isJsonObject(value) && !members.some((member) => Array.isArray(value[member]));
  } catch {
    return false;
  }
}
