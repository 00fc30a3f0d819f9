import { statSync } from 'node:fs';
import { readContents } from '#src/migration/plan/read-contents.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { openAdminClient, type ServiceOptions } from '../admin-client.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { followJob } from './follow-job.js';
import { readImportErrors } from './import-errors.js';
import { measureSample } from './measure-sample.js';
import { type Plan, planSteps } from './plan-steps.js';
import { sendImport } from './send-import.js';

/** The most people of the sample whose import is measured. */
const sampleSize = 2_000;

/**
 * Runs `muster migrate plan`: counts what the body of an import has, asks the service by a dry run what would become of it, measures
 * the import of a sample, and prints the steps of the migration.
 */
export async function planMigration(path: string, options: ServiceOptions, output: Output): Promise<void> {
  const client = await openAdminClient(options, output.note);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new StartError(`${path} is no file`);
  const contents = readContents(path, sampleSize);
  await client.connect();
  const jobId = await sendImport(client, { path, size: stats.size, flags: ['dryRun'] }, output);
  const { state, result } = await followJob(client, { jobId, label: 'dry run' }, output);
  if (state !== 'completed') throw new StartError(`The dry run is ${plainWord(state)}`);
  const { counts } = await readImportErrors(client, jobId, undefined);
  const sample = await measureSample(client, contents.sample);
  const { summary, warnings } = (isJsonObject(result) ? result : {}) as {
    summary?: { created?: number; skipped?: number; failed?: number; total?: number };
    warnings?: readonly { path: string; count: number }[];
  };
  const { created = 0, skipped = 0, failed = 0, total = 0 } = summary ?? {};
  const plan: Plan = {
    path,
    contents,
    sample,
    created,
    skipped,
    failed,
    errors: counts,
    losses: warnings ?? [],
  };
  tell(plan, output);
  const { sample: _people, lists, hashes, ...facts } = contents;
  output.result({
    ...facts,
    lists: Object.fromEntries(lists),
    hashes: Object.fromEntries(hashes),
    ...{ created, skipped, failed, total },
    errorCounts: Object.fromEntries(counts),
    losses: plan.losses,
    ...(sample && { sample }),
    steps: planSteps(plan),
  });
}

function tell(plan: Plan, output: Output): void {
  const { contents, errors, losses } = plan;
  output.print(table(['list', 'records'], [['organizations', contents.organizations], ...contents.lists]));
  const unusable: [string, number][] =
    contents.unusableHashes > 0 ? [['unusable', contents.unusableHashes]] : [];
  const none: [string, number][] =
    contents.withoutPassword > 0 ? [['no password', contents.withoutPassword]] : [];
  const hashes = [...contents.hashes, ...unusable, ...none];
  if (hashes.length > 0) output.print(`\n${table(['password', 'people'], hashes)}`);
  if (errors.size > 0) output.print(`\n${table(['error', 'count'], [...errors])}`);
  if (losses.length > 0) {
    const rows = losses.map((loss): [string, number] => [loss.path, loss.count]);
    output.print(`\nValues that would reach nothing:\n${table(['path', 'records'], rows)}`);
  }
  output.print('');
  for (const [index, step] of planSteps(plan).entries()) output.print(plainWord(`${index + 1}. ${step}`));
}
