import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';

/**
 * Keeps the identifier of a job in a file beside the output or input file. If a command is interrupted, the same
 * command finds its job again.
 */
export interface RememberedJob {
  /** Returns the job of the same request, or undefined if the file names another request. */
  find(): Promise<string | undefined>;
  keep(jobId: string): Promise<void>;
  forget(): Promise<void>;
}

/** @param request all options that identify the request, without secrets */
export function rememberJob(path: string, request: Readonly<Record<string, unknown>>): RememberedJob {
  const file = `${path}.job`;
  const unfinished = `${file}.unfinished`;
  const key = JSON.stringify(request);
  return {
    async find() {
      const text = await readFile(file, 'utf8').catch(() => '');
      try {
        const stored: unknown = JSON.parse(text);
        if (!isJsonObject(stored)) return undefined;
        const { jobId, request: remembered } = stored;
        return JSON.stringify(remembered) === key && typeof jobId === 'string' ? jobId : undefined;
      } catch {
        return undefined;
      }
    },
    async keep(jobId) {
      const text = `${JSON.stringify({ jobId, request })}\n`;
      try {
        // Write the whole file or nothing. A half-written file would lose the job.
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
