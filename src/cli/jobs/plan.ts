import { readContents } from '#src/migration/plan/read-contents.js';
import { StartError } from '#src/platform/start-error.js';
import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { dryRun } from './dry-run.js';
import { readImportErrors } from './import-errors.js';
import { openImportFile } from './import-file/open-import-file.js';
import { importBody } from './import-stream.js';
import { measureSample } from './measure-sample.js';
import { type Plan, planSteps } from './plan-steps.js';

/** The most people of the sample whose import is measured. */
const sampleSize = 2_000;

/**
 * Runs `muster migrate plan`: prints the steps of a migration. It counts what the file has. A dry run tells what the service
 * would refuse or lose. The import of a sample tells the time.
 */
export async function planMigration(path: string, options: ServiceOptions, output: Output): Promise<void> {
  const client = await openAdminClient(options, output.note);
  const file = await openImportFile(path, { dryRun: true });
  // Without members of our own, so that an error names the byte of the file.
  const body = importBody({ ...file, added: '' }, { output, label: 'reading' });
  const contents = await readContents(body, { name: path, sampleSize });
  const { jobId, state, outcome } = await dryRun(client, { file, label: 'dry run' }, output);
  if (state !== 'completed') throw new StartError(`The dry run is ${plainWord(state)}`);
  const { counts: errors } = await readImportErrors(client, jobId, {});
  const sample = await measureSample(client, contents.sample, output);
  const { warnings: losses, ...counts } = outcome;
  const plan: Plan = { path, contents, sample, ...counts, errors, losses };
  tell(plan, output);
  const { sample: _credentials, lists, hashes, ...facts } = contents;
  output.result({
    ...facts,
    lists: Object.fromEntries(lists),
    hashes: Object.fromEntries(hashes),
    ...counts,
    errorCounts: Object.fromEntries(errors),
    losses,
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
