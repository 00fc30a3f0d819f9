import { withInputText } from '#src/migration/text/input-text.js';
import { StartError } from '#src/platform/start-error.js';

/** A mapping is the longest of these files. */
const mostBytes = 4 * 1024 * 1024;

/** Reads a mapping, parameters or a token, in any form that converters read. @throws StartError when the file cannot be read, or is longer */
export async function readSmallFile(path: string): Promise<string> {
  const bytes = await withInputText({ path }, (text) => text.beginning(mostBytes + 1));
  if (bytes.length > mostBytes) throw new StartError(`${path} is longer than ${mostBytes} bytes`);
  return bytes.toString();
}
