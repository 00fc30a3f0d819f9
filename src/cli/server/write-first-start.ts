import { StartError } from '#src/platform/start-error.js';
import { openPrivateFile } from '../base/private-file.js';

/** The results of the first start. Its secrets are shown nowhere else. */
export interface FirstStart {
  readonly baseUrl: string;
  readonly orgId: string;
  readonly adminUserName: string;
  readonly adminPassword: string;
  readonly adminToken: string;
}

/** The output of a first start. The caller calls one of the two methods, once. */
export interface FirstStartOutput {
  /** Writes all results, or nothing. @throws StartError */
  write(made: FirstStart): Promise<void>;
  /** Removes the output, because there are no results. */
  discard(): Promise<void>;
}

/**
 * Opens a file that only its owner may read. The file gets its name when it is complete. Without a path, the output is
 * standard output.
 * @throws StartError if the file cannot be written
 */
export async function openFirstStartOutput(path: string | undefined): Promise<FirstStartOutput> {
  if (path === undefined) return { write: print, discard: async () => {} };
  const file = await openPrivateFile(path, 'Nothing was initialized.');
  return { write: (made) => file.write(textOf(made)), discard: file.discard };
}

/** Resolves when standard output has accepted the text. */
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
