import { open, rename } from 'node:fs/promises';

/** What the first start made; the secrets in it are shown nowhere else. */
export interface FirstStart {
  readonly baseUrl: string;
  readonly orgId: string;
  readonly adminUserName: string;
  readonly adminPassword: string;
  readonly adminToken: string;
}

/** Writes it to a file that only its owner may read, complete or not at all; without a file to standard output. */
export async function writeFirstStart(made: FirstStart, output: string | undefined): Promise<void> {
  const text = `${JSON.stringify(made, null, 2)}\n`;
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  const unfinished = `${output}.${process.pid}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, output);
}
