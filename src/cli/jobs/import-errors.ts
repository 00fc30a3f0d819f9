import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { argumentSegment } from '../base/argument-segment.js';
import { isOfDisk } from './disk-error.js';
import { jobLines } from './job-lines.js';

/** A summary of the errors of an import. Its size does not depend on the number of errors. */
export interface ImportErrors {
  /** Number of errors, by type and code. */
  readonly counts: ReadonlyMap<string, number>;
  /** The first errors, each as a JSON object. */
  readonly first: readonly string[];
}

/** What becomes of the errors. */
interface ErrorsWanted {
  /** The file that gets each error as a line of JSON. If undefined, no file is written. */
  readonly path?: string | undefined;
  /** Returns an error with its place in the file that was sent. */
  readonly placed?: (error: JsonObject) => JsonObject;
}

/** Number of errors that the command shows. */
const shown = 10;

/** Returns the path of the errors of a job. The answer has one JSON object per line. */
export function errorsPath(jobId: string): string {
  return `/admin/v1/jobs/${argumentSegment(jobId)}/errors`;
}

/**
 * Reads the errors of an import as they arrive. It holds only one chunk in memory.
 * @throws StartError
 */
export async function readImportErrors(
  client: AdminClient,
  jobId: string,
  { path, placed = (error) => error }: ErrorsWanted,
): Promise<ImportErrors> {
  const counts = new Map<string, number>();
  const first: string[] = [];
  async function* counted(): AsyncGenerator<string> {
    for await (const lines of jobLines(client, errorsPath(jobId))) {
      const told = lines.map((line) => {
        const error = placed(JSON.parse(line));
        const kind = kindOf(error);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        const text = JSON.stringify(error);
        if (first.length < shown) first.push(text);
        return `${text}\n`;
      });
      yield told.join('');
    }
  }
  await writeLines(counted(), path);
  return { counts, first };
}

/** Writes the pieces to a file (mode 0600), or reads them only. @throws StartError */
export async function writeLines(pieces: AsyncIterable<string>, path: string | undefined): Promise<void> {
  try {
    if (path === undefined) for await (const _piece of pieces);
    else await pipeline(pieces, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    if (isOfDisk(error)) throw new StartError(`${path} cannot be written: ${error.message}`);
    throw error;
  }
}

function kindOf({ type = '', message = '' }: JsonObject): string {
  return `${String(type)} ${/^[A-Z-]+(?=:)/.exec(String(message))?.[0] ?? ''}`.trim();
}
