import { open } from 'node:fs/promises';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { type ElementSource, eachElement } from './each-element.js';
import { eachLine } from './each-line.js';
import { unreadableFile } from './unreadable-file.js';

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
  const file = await open(path).catch((error: Error) => {
    throw unreadableFile(path, error);
  });
  try {
    const buffer = Buffer.alloc(maxRecordBytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0).catch((error: Error) => {
      throw unreadableFile(path, error);
    });
    const [first = ''] = buffer.toString('utf8', 0, bytesRead).trimStart().split('\n', 1);
    const value: unknown = JSON.parse(first);
    return isJsonObject(value) && !members.some((member) => Array.isArray(value[member]));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  } finally {
    await file.close();
  }
}
