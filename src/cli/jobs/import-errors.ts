import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../admin-client.js';
import { answerLines } from './answer-lines.js';
import { isOfDisk } from './disk-error.js';

/** A summary of the errors of an import. Its size does not depend on the number of errors. */
export interface ImportErrors {
  /** Number of errors, by type and code. */
  readonly counts: ReadonlyMap<string, number>;
  /** The first errors, each as a JSON object. */
  readonly first: readonly string[];
}

/** What becomes of the errors. */
export interface ErrorsWanted {
  /** The file that gets each error as a line of JSON. If undefined, no file is written. */
  readonly path?: string | undefined;
  /** Returns an error with its place in the file that was sent. */
  readonly placed?: (error: JsonObject) => JsonObject;
}

/** Number of errors that the command shows. */
const shown = 10;
/** Attempts to read the errors. If the connection breaks this often, another attempt does not help. */
const tries = 10;

/** Returns the path of the errors of a job. The answer has one JSON object per line. */
export function errorsPath(jobId: string): string {
  return `/admin/v1/jobs/${encodeURIComponent(jobId)}/errors`;
}

/**
 * Reads the errors of an import as they arrive. It holds only one chunk in memory. If the connection breaks, it starts
 * from the beginning.
 * @throws StartError
 */
export async function readImportErrors(
  client: AdminClient,
  jobId: string,
  { path, placed = (error) => error }: ErrorsWanted,
): Promise<ImportErrors> {
  for (let attempt = 1; ; attempt++) {
    const counts = new Map<string, number>();
    const first: string[] = [];
    const answer = await client.insist(errorsPath(jobId));
    const pieces = counted(answer, { counts, first, placed });
    try {
      if (path === undefined) for await (const _piece of pieces);
      else await pipeline(pieces, createWriteStream(path, { mode: 0o600 }));
      return { counts, first };
    } catch (error) {
      // An answer that the command does not read would keep its connection busy.
      await answer.body?.cancel().catch(() => {});
      if (isOfDisk(error)) throw new StartError(`${path} cannot be written: ${error.message}`);
      if (attempt === tries) throw new StartError('The errors of the import cannot be read to their end');
    }
  }
}

/** Yields the text of the answer. Counts its lines and keeps the first ones. */
async function* counted(
  answer: Response,
  {
    counts,
    first,
    placed,
  }: Required<Pick<ErrorsWanted, 'placed'>> & { counts: Map<string, number>; first: string[] },
): AsyncGenerator<string> {
  for await (const lines of answerLines(answer)) {
    const told = lines.map((line) => {
      const error = placed(JSON.parse(line));
      const kind = kindOf(error);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return `${JSON.stringify(error)}\n`;
    });
    first.push(...told.slice(0, shown - first.length).map((line) => line.trimEnd()));
    yield told.join('');
  }
}

function kindOf({ type = '', message = '' }: JsonObject): string {
  return `${String(type)} ${/^[A-Z-]+(?=:)/.exec(String(message))?.[0] ?? ''}`.trim();
}
