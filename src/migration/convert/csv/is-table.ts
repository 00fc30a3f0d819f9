import { open } from 'node:fs/promises';
import { unreadableFile } from '../reading/unreadable-file.js';

const headLength = 4096;

/** Whether a file is a table and no JSON. @param isFirstLine tells the first line of the table */
export async function isTable(path: string, isFirstLine: (line: string) => boolean): Promise<boolean> {
  const unreadable = (error: Error) => {
    throw unreadableFile(path, error);
  };
  const file = await open(path).catch(unreadable);
  try {
    const { buffer, bytesRead } = await file
      .read(Buffer.alloc(headLength), 0, headLength, 0)
      .catch(unreadable);
    // `trimStart` removes a byte order mark too.
    const head = buffer.toString('utf8', 0, bytesRead).trimStart();
    return !/^[{[]/.test(head) && isFirstLine(head.split('\n', 1)[0] ?? '');
  } finally {
    await file.close();
  }
}
