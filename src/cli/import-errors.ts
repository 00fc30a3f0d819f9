import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StartError } from '#src/platform/start-failure.js';
import type { AdminClient } from './admin-client.js';
import { answerLines } from './answer-lines.js';
import { isOfDisk } from './disk-error.js';

/** What is kept of the errors of an import, however many they are. */
export interface ImportErrors {
  /** By type and code. */
  readonly counts: ReadonlyMap<string, number>;
  /** The first of them, a JSON object each. */
  readonly first: readonly string[];
}

/** Errors that are shown. */
const shown = 10;
/** A download that broke so often does not get better by itself. */
const tries = 10;

/** The path of the errors of a job, one JSON object a line. */
export function errorsPath(jobId: string): string {
  return `/jobs/${encodeURIComponent(jobId)}/errors`;
}

/**
 * Reads the errors of an import as they come, without holding more than a piece of them, and begins again where the
 * connection breaks.
 * @param path where each of them is kept as a line of JSON; undefined keeps none
 * @throws StartError
 */
export async function readImportErrors(
  client: AdminClient,
  jobId: string,
  path: string | undefined,
): Promise<ImportErrors> {
  for (let attempt = 1; ; attempt++) {
    const counts = new Map<string, number>();
    const first: string[] = [];
    const answer = await client.insist(errorsPath(jobId));
    const pieces = counted(answer, { counts, first });
    try {
      if (path === undefined) for await (const _piece of pieces);
      else await pipeline(pieces, createWriteStream(path, { mode: 0o600 }));
      return { counts, first };
    } catch (error) {
      // An answer that nobody reads would keep its connection busy.
      await answer.body?.cancel().catch(() => {});
      if (isOfDisk(error)) throw new StartError(`${path} cannot be written: ${error.message}`);
      if (attempt === tries) throw new StartError('The errors of the import cannot be read to their end');
    }
  }
}

/** The text of the answer, whose lines are counted and of which the first are kept. */
async function* counted(
  answer: Response,
  { counts, first }: { counts: Map<string, number>; first: string[] },
): AsyncGenerator<string> {
  for await (const lines of answerLines(answer)) {
    for (const line of lines) {
      const kind = kindOf(line);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (first.length < shown) first.push(line);
    }
    yield lines.map((line) => `${line}\n`).join('');
  }
}

function kindOf(line: string): string {
  const { type = '', message = '' } = JSON.parse(line);
  return `${type} ${/^[A-Z-]+(?=:)/.exec(message)?.[0] ?? ''}`.trim();
}
