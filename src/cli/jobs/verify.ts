import { createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../admin-client.js';
import { endWith } from '../exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { answerLines } from './answer-lines.js';
import { isOfDisk } from './disk-error.js';
import { followJob, jobPath } from './follow-job.js';
import { errorsPath } from './import-errors.js';
import { sendImport } from './send-import.js';

export interface VerifyOptions extends ServiceOptions {
  readonly differences?: string | undefined;
}

/** A record of the file that the service does not have as the file says. */
interface Difference {
  /** `refused`: the service could not have the record, so it compares nothing. */
  readonly kind: 'missing' | 'different' | 'refused';
  readonly [fact: string]: unknown;
}

/** Number of differences that the command shows. */
const shown = 10;
/** Longest difference that is shown, in characters. A longer one is cut. */
const shownLength = 500;

/**
 * Runs `muster verify`: a dry run of the import compares each attribute of each record with what the service has. Sets the exit code
 * of the process.
 */
export async function verifyFile(path: string, options: VerifyOptions, output: Output): Promise<void> {
  const client = await openAdminClient(options, output.note);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new StartError(`${path} is no file`);
  await client.connect();
  const jobId = await sendImport(client, { path, size: stats.size, flags: ['dryRun'] }, output);
  const { state, result } = await followJob(client, { jobId, label: 'verify' }, output);
  const summary = isJsonObject(result) && isJsonObject(result['summary']) ? result['summary'] : {};
  const { created: missing = 0, skipped: same = 0, total = 0 } = summary as Record<string, number>;
  const counts = { different: 0, refused: 0 };
  const first: string[] = [];
  async function* lines() {
    for await (const one of differencesOf(client, { jobId, hasMissing: missing > 0 })) {
      if (one.kind !== 'missing') counts[one.kind]++;
      const line = JSON.stringify(one);
      if (first.length < shown) first.push(line);
      yield `${line}\n`;
    }
  }
  await write(lines(), options.differences);
  const { different, refused } = counts;
  output.print(
    table(['same', 'missing', 'different', 'refused', 'total'], [[same, missing, different, refused, total]]),
  );
  for (const line of first) output.print(plainWord(line.slice(0, shownLength)));
  const more = missing + different + refused - first.length;
  if (more > 0)
    output.print(`... and ${more} more${options.differences ? ` in ${options.differences}` : ''}`);
  if (state !== 'completed')
    output.print(`\nThe comparison is ${plainWord(state)}. It did not reach all records.`);
  const file = options.differences !== undefined && { differencesFile: options.differences };
  output.result({ jobId, state, same, missing, different, refused, total, ...file });
  if (state !== 'completed' || missing + different + refused > 0) endWith('failed');
}

async function* differencesOf(
  client: AdminClient,
  { jobId, hasMissing }: { jobId: string; hasMissing: boolean },
): AsyncGenerator<Difference> {
  if (hasMissing) yield* missingRecords(await fullReport(client, jobId));
  for await (const lines of answerLines(await client.insist(errorsPath(jobId)))) {
    for (const line of lines) {
      const error: unknown = JSON.parse(line);
      if (!isJsonObject(error)) continue;
      const isDifferent = String(error['message']).startsWith('OTHER-CONTENT:');
      yield { kind: isDifferent ? 'different' : 'refused', ...error };
    }
  }
}

/** The records that an import would create, with the names of their lists. */
function* missingRecords(report: unknown): Generator<Difference> {
  const success = isJsonObject(report) ? report['success'] : undefined;
  const orgs = isJsonObject(success) ? success['orgs'] : undefined;
  for (const org of Array.isArray(orgs) ? orgs.filter(isJsonObject) : []) {
    for (const [list, ids] of Object.entries(org)) {
      for (const id of Array.isArray(ids) ? ids : [])
        yield { kind: 'missing', orgId: org['orgId'], list, id };
    }
  }
}

async function fullReport(client: AdminClient, jobId: string): Promise<unknown> {
  const { body } = await client.read(jobPath(jobId).replace(/\?.*/, ''));
  return (body as JsonObject | undefined)?.['result'];
}

/** Writes the lines to a file, or reads them only. @throws StartError */
async function write(lines: AsyncGenerator<string>, path: string | undefined): Promise<void> {
  try {
    if (path === undefined) for await (const _line of lines);
    else await pipeline(lines, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    if (isOfDisk(error)) throw new StartError(`${path} cannot be written: ${error.message}`);
    throw error;
  }
}
