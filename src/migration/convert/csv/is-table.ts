import type { InputText } from '../../text/input-text.js';

const headLength = 4096;

/** Whether a text is a table and no JSON. @param isFirstLine tells the first line of the table */
export async function isTable(
  text: InputText,
  isFirstLine: (line: string) => boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  const head = (await text.beginning(headLength, signal)).toString().trimStart();
  return !/^[{[]/.test(head) && isFirstLine(head.split('\n', 1)[0] ?? '');
}
