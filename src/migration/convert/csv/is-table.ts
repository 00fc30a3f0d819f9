import { withInputText } from '../../text/input-text.js';

const headLength = 4096;

/** Whether a file is a table and no JSON. @param isFirstLine tells the first line of the table */
export async function isTable(path: string, isFirstLine: (line: string) => boolean): Promise<boolean> {
  const beginning = await withInputText(path, (text) => text.beginning(headLength));
  const head = beginning.toString().trimStart();
  return !/^[{[]/.test(head) && isFirstLine(head.split('\n', 1)[0] ?? '');
}
