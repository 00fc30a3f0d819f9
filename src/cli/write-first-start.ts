import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { StartError } from '#src/platform/start-failure.js';

/** What the first start made; the secrets in it are shown nowhere else. */
export interface FirstStart {
  readonly baseUrl: string;
  readonly orgId: string;
  readonly adminUserName: string;
  readonly adminPassword: string;
  readonly adminToken: string;
}

/** Where a first start is kept. One of the two is called, once. */
export interface FirstStartOutput {
  /** Keeps it, complete or not at all. @throws StartError */
  write(made: FirstStart): Promise<void>;
  /** Leaves nothing behind, since there is nothing to keep. */
  discard(): Promise<void>;
}

/**
 * Opens a file that only its owner may read, under another name until it is complete; without a path, standard
 * output.
 * @throws StartError when the file cannot be written
 */
export async function openFirstStartOutput(path: string | undefined): Promise<FirstStartOutput> {
  if (path === undefined) return { write: print, discard: async () => {} };
  const unwritable = (error: Error) =>
    new StartError(`${path} cannot be written: ${error.message}. Nothing was initialized.`);
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(unfinished, 'wx', 0o600).catch((error: Error) => {
    throw unwritable(error);
  });
  const discard = async () => {
    await file.close();
    await rm(unfinished, { force: true });
  };
  return {
    discard,
    async write(made) {
      try {
        await file.writeFile(textOf(made));
        await file.sync();
        await rename(unfinished, path);
      } catch (error) {
        await discard();
        throw unwritable(error as Error);
      }
      await file.close();
    },
  };
}

/** Comes back when standard output has it. */
function print(made: FirstStart): Promise<void> {
  return new Promise((done, failed) => {
    process.stdout.write(textOf(made), (error) => {
      if (error) failed(new StartError(`Standard output cannot be written: ${error.message}`));
      else done();
    });
  });
}

function textOf(made: FirstStart): string {
  return `${JSON.stringify(made, null, 2)}\n`;
}
