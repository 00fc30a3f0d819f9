import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { StartError } from '#src/platform/start-error.js';

/** A file that only its owner may read, and that appears when it is complete. The caller calls one of the two methods, once. */
interface PrivateFile {
  /** Writes the text to the disk. @throws StartError */
  write(text: string): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Opens the file, so that a secret is made only if it can be kept.
 * @param otherwise what the error says about the state that it leaves, such as `Nothing was initialized.`
 * @throws StartError if the file cannot be written
 */
export async function openPrivateFile(path: string, otherwise: string): Promise<PrivateFile> {
  const unwritable = (error: Error) =>
    new StartError(`${path} cannot be written: ${error.message}. ${otherwise}`);
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
    async write(text) {
      try {
        await file.writeFile(text);
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
