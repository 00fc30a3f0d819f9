import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-failure.js';

/**
 * Which job of the service does what was asked, in a file beside the one that it is about, so that the same command
 * finds it again after whatever ended the first.
 */
export interface RememberedJob {
  /** The job that was remembered for the same request; undefined for any other. */
  find(): Promise<string | undefined>;
  keep(jobId: string): Promise<void>;
  forget(): Promise<void>;
}

/** @param request all that makes a request the same one; without secrets */
export function rememberJob(path: string, request: Readonly<Record<string, unknown>>): RememberedJob {
  const file = `${path}.job`;
  const unfinished = `${file}.unfinished`;
  const key = JSON.stringify(request);
  return {
    async find() {
      const text = await readFile(file, 'utf8').catch(() => '');
      try {
        const kept: unknown = JSON.parse(text);
        if (!isJsonObject(kept)) return undefined;
        const { jobId, request: remembered } = kept;
        return JSON.stringify(remembered) === key && typeof jobId === 'string' ? jobId : undefined;
      } catch {
        return undefined;
      }
    },
    async keep(jobId) {
      const text = `${JSON.stringify({ jobId, request })}\n`;
      try {
        // Whole or not at all: from half of it nobody finds the job again.
        await writeFile(unfinished, text, { mode: 0o600 });
        await rename(unfinished, file);
      } catch (error) {
        throw new StartError(`${file} cannot be written: ${(error as Error).message}`);
      }
    },
    async forget() {
      await rm(file, { force: true });
    },
  };
}
