import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fullPace, type Pace, quickPace } from './compare.js';
import { type Cost, withGrowth } from './growth.js';
import { measureBulk } from './measures/bulk.js';
import { measureChanges } from './measures/changes.js';
import { measureConnections } from './measures/connections.js';
import { measureConsole } from './measures/console.js';
import { measureConvert } from './measures/convert.js';
import { measureConvertAny } from './measures/convert-any.js';
import { measureEarlier } from './measures/earlier.js';
import { measureExport } from './measures/export.js';
import { measureGroups } from './measures/groups.js';
import { measureImport } from './measures/import.js';
import { measureImportBeside } from './measures/import-beside.js';
import { measureImportMapped } from './measures/import-mapped.js';
import { measureNotSlower } from './measures/not-slower.js';
import { measureOidc } from './measures/oidc.js';
import { measureGrowth } from './measures/oidc-growth.js';
import { measureLogin } from './measures/oidc-login.js';
import { measureOrganizations } from './measures/organizations.js';
import { measurePaging } from './measures/paging.js';
import { measurePasskeyLogin } from './measures/passkey-login.js';
import { measurePolicyTrial } from './measures/policy-trial.js';
import { measureProvisioning } from './measures/provisioning.js';
import { measureScim } from './measures/scim.js';
import { measureSearch } from './measures/search.js';
import { measureSmallImports } from './measures/small-imports.js';
import { measureStart } from './measures/start.js';
import { accessToken, measureTokens } from './measures/tokens.js';
import { measureVerify } from './measures/verify.js';
import { stopAll } from './processes.js';
import { startApi, startWorker } from './programs.js';
import { document, type Row, remeasured, table } from './report.js';
import { openSetting, type Setting } from './setting.js';
import { type ScimTarget, scimTarget } from './target.js';

const areas = [
  'start',
  'tokens',
  'oidc',
  'login',
  'connections',
  'passkeys',
  'growth',
  'organizations',
  'groups',
  'scim',
  'changes',
  'bulk',
  'provisioning',
  'search',
  'paging',
  'policy-trial',
  'console',
  'export',
  'import',
  'import-beside',
  'import-mapped',
  'small-imports',
  'verify',
  'convert',
  'convert-any',
] as const;

/**
 * Measures against peers.
 * - `--quick` is for trials.
 * - `--only tokens,oidc` measures some areas.
 * - `--most 100000` bounds the users of `paging`, `policy-trial`, `organizations`, `groups` and `--earlier`.
 * - `--busy` notes that other programs used the machine.
 * - `--earlier FOLDER` measures writes beside an earlier version. Its packages are installed in the folder, and it is built there.
 * - `--beside FOLDER` measures whether tokens, SCIM, logins, imports, verifications and conversions are as fast as in an earlier version.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: areas.join() },
      most: { type: 'string', default: '1000000' },
      busy: { type: 'boolean', default: false },
      earlier: { type: 'string' },
      beside: { type: 'string' },
    },
  });
  const started = Date.now();
  const only = new Set(values.only.split(','));
  const setting = await openSetting();
  const rows: Row[] = [];
  const costs: Cost[] = [];
  let failure: unknown;
  try {
    // The rows that were measured before a failure are kept.
    const most = Number(values.most);
    const { quick, earlier, beside } = values;
    // It has its own setting, with a provider.
    if (only.has('connections')) rows.push(...(await measureConnections(quick ? quickPace : fullPace)));
    await measure(setting, { only, quick, most, earlier, beside, rows, costs }).catch((error: unknown) => {
      failure = error;
    });
    const minutes = (Date.now() - started) / 60_000;
    console.log(withGrowth(table(rows), costs));
    if (!values.quick) {
      const file = join(import.meta.dirname, 'results.md');
      const isWhole = only.size === areas.length && failure === undefined;
      const text = isWhole
        ? document({ rows, notes: remarks, minutes, engine: setting.engine, command: 'make bench' })
        : remeasured(await readFile(file, 'utf8'), rows, {
            command: `bench/main.ts ${process.argv.slice(2).join(' ')}`,
            engine: setting.engine,
            busy: values.busy,
          });
      await writeFile(file, withGrowth(text, costs));
    }
  } finally {
    await stopAll();
    await setting.close();
  }
  if (failure !== undefined) throw failure;
}

interface Measuring {
  readonly only: ReadonlySet<string>;
  readonly quick: boolean;
  /** The most users of some areas. */
  readonly most: number;
  /** The folder of an earlier version. */
  readonly earlier: string | undefined;
  readonly beside: string | undefined;
  /** Receives the rows as they are measured. */
  readonly rows: Row[];
  readonly costs: Cost[];
}

async function measure(
  setting: Setting,
  { only, quick, most, earlier, beside, rows, costs }: Measuring,
): Promise<void> {
  const pace: Pace = quick ? quickPace : fullPace;
  const sizes = quick ? { small: 1_000, large: 10_000 } : { small: 1_000, large: 100_000, huge: 1_000_000 };
  const others = quick ? [1_000] : [1_000, 100_000];
  // These come first and use their own processes, because they measure their memory.
  if (only.has('start')) rows.push(...(await measureStart(setting, { pace, quick })));
  if (only.has('export')) {
    const exported = { small: 10_000, large: quick ? 20_000 : 1_000_000, others };
    rows.push(...(await measureExport(setting, { sizes: exported, pace, costs })));
  }
  if (only.has('import')) {
    const imported = { small: 10_000, large: quick ? 50_000 : 1_000_000, others };
    rows.push(...(await measureImport(setting, { sizes: imported, pace, costs })));
  }
  if (only.has('import-beside')) {
    const beside = { small: quick ? 1_000 : 5_000, giant: quick ? 20_000 : 200_000 };
    rows.push(...(await measureImportBeside(setting, { ...beside, pace })));
  }
  if (only.has('import-mapped'))
    rows.push(...(await measureImportMapped(setting, { count: quick ? 5_000 : 200_000, pace })));
  if (only.has('verify'))
    rows.push(...(await measureVerify(setting, { size: quick ? 20_000 : 100_000, pace })));
  if (only.has('convert')) {
    const converted = { small: 10_000, large: quick ? 100_000 : 1_000_000 };
    rows.push(...(await measureConvert(converted, pace)));
  }
  if (only.has('convert-any')) rows.push(...(await measureConvertAny(quick ? 100_000 : 1_000_000, pace)));
  if (earlier !== undefined) {
    const imported = Math.min(most, quick ? 2_000 : 1_000_000);
    await measureEarlier(setting, { folder: earlier, imported, pace, rows });
  }
  if (beside !== undefined) await measureNotSlower(setting, { folder: beside, pace, rows });
  const api = await startApi(setting);
  const worker = await startWorker(setting);
  try {
    const target = (token: string) => scimTarget(setting.baseUrl, setting.organization.id, token);
    const { personalAccessToken } = setting.client;
    const targets = {
      ours: target(personalAccessToken),
      withAccessToken: target(await accessToken(setting)),
    };
    if (only.has('tokens')) rows.push(...(await measureTokens(setting, pace)));
    if (only.has('oidc')) rows.push(...(await measureOidc(setting, pace)));
    if (only.has('login')) rows.push(...(await measureLogin(setting, api, pace)));
    if (only.has('passkeys')) rows.push(...(await measurePasskeyLogin(setting, pace)));
    if (only.has('growth')) {
      rows.push(...(await measureGrowth({ ...sizes, small: 100 }, pace)));
    }
    // Organizations, groups, searches and pages grow too.
    if (only.has('organizations') || only.has('growth')) {
      const users = Math.min(most, quick ? 2_000 : 1_000_000);
      rows.push(...(await measureOrganizations({ few: 10, many: Math.max(20, users / 100) }, pace)));
    }
    if (only.has('groups') || only.has('growth')) {
      const members = { few: 100, many: Math.min(most, quick ? 10_000 : 100_000) };
      rows.push(
        ...(await measureGroups(setting, { token: personalAccessToken, sizes: members, pace, costs })),
      );
    }
    if (only.has('small-imports')) rows.push(...(await measureSmallImports(setting, pace)));
    await measureScimAreas(setting, { only, targets, pace, rows });
    if (only.has('search') || only.has('growth')) {
      rows.push(...(await measureSearch(setting, { token: personalAccessToken, sizes, pace, costs })));
    }
    if (only.has('paging') || only.has('growth')) {
      const users = Math.min(most, sizes.huge ?? sizes.large);
      rows.push(...(await measurePaging(setting, { token: personalAccessToken, users, pace })));
    }
    if (only.has('policy-trial')) {
      const users = Math.min(most, quick ? 25_000 : 1_000_000);
      rows.push(...(await measurePolicyTrial(setting, { token: personalAccessToken, users, pace })));
    }
    if (only.has('console')) {
      const users = quick ? 2_000 : 1_000_000;
      const many = { users, organizations: quick ? 20 : 1_000, visits: quick ? 20 : 200 };
      rows.push(...(await measureConsole(setting, many)));
    }
    for (const process of [api, worker]) {
      const memory = `${Math.round(await process.memory())} MiB`;
      rows.push({ measure: `memory of the ${process.name} after all of this`, ours: memory, ...nothing });
    }
  } finally {
    await worker.stop();
    await api.stop();
  }
}

/** The areas that send SCIM requests to the organization of the setting. */
async function measureScimAreas(
  setting: Setting,
  {
    only,
    targets,
    pace,
    rows,
  }: Pick<Measuring, 'only' | 'rows'> & {
    targets: Record<'ours' | 'withAccessToken', ScimTarget>;
    pace: Pace;
  },
): Promise<void> {
  if (only.has('scim')) rows.push(...(await measureScim(setting, targets, pace)));
  if (only.has('changes')) rows.push(...(await measureChanges(targets.ours, pace)));
  if (only.has('bulk')) rows.push(...(await measureBulk(setting, targets.ours, pace)));
  if (only.has('provisioning')) rows.push(...(await measureProvisioning(targets.withAccessToken, pace)));
}

const remarks = [
  'Requests with the tokens of a user use 48 connections. With 16 connections, refresh and code exchange would wait for the store.',
  'Rates and latencies are medians of rounds that alternate between both sides. The ratio is the median of the ratios of the rounds.',
  'SCIM requests carry a personal access token, as provisioning clients do, unless the row says otherwise.',
  'API and worker log only warnings, because the peers write no log line for a request.',
  'A create and its event are one transaction, which takes three calls of the driver. The peer makes one call.',
];
const nothing = { peer: '', ratio: '', asked: '', met: '' };

await main();
