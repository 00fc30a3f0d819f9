import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { areasAlone, type Field, sharedAreas } from './areas.js';
import { fullPace, quickPace } from './compare.js';
import { type Cost, growthTable } from './growth.js';
import { measureEarlier } from './measures/earlier.js';
import { measureNotSlower } from './measures/not-slower.js';
import { stopAll } from './processes.js';
import { startApi, startWorker } from './programs.js';
import { type Row, table } from './report.js';
import { measuredCommit, openResults, type Results } from './results-file.js';
import { openSetting, type Setting } from './setting.js';

const resultsFile = join(import.meta.dirname, 'results.md');
const remarks = [
  'Requests with the tokens of a user use 48 connections. With 16 connections, refresh and code exchange would wait for the store.',
  'Rates and latencies are medians of rounds that alternate between both sides. The ratio is the median of the ratios of the rounds.',
  'The processor time of a request is that of all processes of Muster and of its stores, if the row does not name one. Clients do not count.',
  'SCIM requests carry a personal access token, as provisioning clients do, unless the row says otherwise.',
  'API and worker log only warnings, because the peers write no log line for a request.',
  'A create and its event are one transaction, which takes three calls of the driver. The peer makes one call.',
];

/**
 * Measures against peers, and writes each area to `results.md` when it is measured.
 * - `--only tokens,oidc` measures some areas. `growth` includes `organizations`, `groups`, `search` and `paging`.
 * - `--most 100000` bounds the users of the areas that compare sizes, and of `--earlier`.
 * - `--new` begins a new table. Without it, the table must be of the same commit.
 * - `--resume` goes on with the run of the same command that broke off, after the areas that it has measured.
 * - `--quick` is for trials, and writes nothing.
 * - `--busy` notes that other programs used the machine.
 * - `--earlier FOLDER` measures writes beside an earlier version. Its packages are installed in the folder, and it is built there.
 * - `--beside FOLDER` measures whether tokens, SCIM, logins, imports, verifications and conversions are as fast as in an earlier version.
 *   `--cases "SCIM get,SCIM list"` measures only those whose names begin so.
 */
async function main(): Promise<void> {
  const options = readOptions();
  // Before anything starts, because it takes an hour.
  const commit = options.quick ? '' : measuredCommit();
  const setting = await openSetting();
  try {
    const results = options.quick
      ? nowhere
      : await openResults({
          ...{ file: resultsFile, commit, command: commandOf(process.argv.slice(2)), engine: setting.engine },
          ...{ notes: remarks, remark: options.busy ? 'beside other programs' : '' },
          ...{ isNew: options.new, isResumed: options.resume },
        });
    await measureAreas(setting, { options, results });
  } finally {
    await stopAll();
    await setting.close();
  }
}

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: Object.keys({ ...areasAlone, ...sharedAreas }).join() },
      most: { type: 'string', default: '1000000' },
      new: { type: 'boolean', default: false },
      resume: { type: 'boolean', default: false },
      busy: { type: 'boolean', default: false },
      earlier: { type: 'string' },
      beside: { type: 'string' },
      cases: { type: 'string', default: '' },
    },
  });
  const only = new Set(values.only.split(',').filter((area) => area !== 'none'));
  if (only.has('growth')) for (const area of ['organizations', 'groups', 'search', 'paging']) only.add(area);
  for (const area of only)
    if (!(area in areasAlone || area in sharedAreas)) throw new Error(`There is no area ${area}`);
  return { ...values, only };
}

/** Whether a run begins a table or goes on does not change what it measures. */
function commandOf(words: readonly string[]): string {
  return ['bench/main.ts', ...words.filter((word) => word !== '--new' && word !== '--resume')].join(' ');
}

/** The results of a trial. */
const nowhere: Results = { measured: new Set(), add: async () => undefined };

async function measureAreas(
  setting: Setting,
  { options, results }: { options: Options; results: Results },
): Promise<void> {
  const { only, quick, earlier, beside } = options;
  const field = { setting, pace: quick ? quickPace : fullPace, quick, most: Number(options.most) };
  const measure = async (area: string, work: (field: Field) => Promise<Row[]>) => {
    if (results.measured.has(area)) return;
    const started = performance.now();
    const costs: Cost[] = [];
    const rows = await work({ ...field, costs });
    const minutes = (performance.now() - started) / 60_000;
    console.log(`\n${area}, ${minutes.toFixed(1)} minutes\n\n${table(rows)}`);
    if (costs.length > 0) console.log(growthTable(costs));
    await results.add(area, { rows, costs, minutes });
  };
  for (const [area, work] of Object.entries(areasAlone)) if (only.has(area)) await measure(area, work);
  if (earlier !== undefined)
    await measure('earlier', ({ pace, most }) =>
      measureEarlier(setting, { folder: earlier, imported: quick ? 2_000 : most, pace }),
    );
  if (beside !== undefined)
    await measure('beside', ({ pace }) =>
      measureNotSlower(setting, { folder: beside, cases: options.cases.split(','), pace }),
    );
  const shared = Object.entries(sharedAreas).filter(
    ([area]) => only.has(area) && !results.measured.has(area),
  );
  if (shared.length === 0) return;
  const api = await startApi(setting);
  const worker = await startWorker(setting);
  try {
    for (const [area, work] of shared) await measure(area, (given) => work({ ...given, api }));
  } finally {
    await worker.stop();
    await api.stop();
  }
}

await main();
