import { setTimeout as pause } from 'node:timers/promises';
import { addOrganization } from '#src/organizations/add-organization.js';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { startApi, startWorker } from '../programs.js';
import { judged, type Row } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { bodyOf, importBody, type Run, send } from './import-requests.js';

/**
 * The time of a small import while the workers do a giant one of another organization. The peer is the same import alone.
 * @throws Error if the giant import ends too early, because the small one was then alone for a while
 */
export async function measureImportBeside(
  setting: Setting,
  { small, giant, pace }: { small: number; giant: number; pace: Pace },
): Promise<Row[]> {
  const processes = [await startApi(setting), await startWorker(setting)];
  try {
    const organization = await addOrganization(setting.container, { name: 'Giant', editor });
    return [await measure({ setting, organization }, { small, giant, pace })];
  } finally {
    for (const running of processes.reverse()) await running.stop();
  }
}

async function measure(
  run: Run,
  { small, giant, pace }: { small: number; giant: number; pace: Pace },
): Promise<Row> {
  const { setting } = run;
  const organization = await addOrganization(setting.container, { name: 'Small', editor });
  const seconds = async () => {
    const begun = performance.now();
    await importBody({ setting, organization }, small);
    return (performance.now() - begun) / 1000;
  };
  const rounds = async () => {
    const measured: number[] = [];
    for (let round = 0; round < pace.rounds; round++) measured.push(await seconds());
    return median(measured);
  };
  // The first import warms up.
  await seconds();
  const alone = await rounds();
  const long = await beginImport(run, giant);
  while ((await jobOf(setting, long)).progress.processed === 0) await pause(100);
  const beside = await rounds();
  const then = await jobOf(setting, long);
  if (then.state !== 'running')
    throw new Error(`The import of ${giant} users ended as ${then.state} too early`);
  await jobOf(setting, long, 'DELETE');
  const row = {
    measure: `time of an import of ${small.toLocaleString('en')} users beside one of ${giant.toLocaleString('en')}`,
    ours: `${beside.toFixed(2)} s`,
    peer: `alone: ${alone.toFixed(2)} s`,
  };
  return judged(row, beside / alone, { atMost: 2 });
}

/** Starts an import that is answered later. @returns its job */
async function beginImport(run: Run, size: number): Promise<string> {
  const pieces = bodyOf(run.organization.id, size, 'giant');
  const answer = await send(run, { to: 'import', pieces, headers: { prefer: 'respond-async' } });
  answer.resume();
  if (answer.statusCode !== 202) throw new Error(`The import is answered ${answer.statusCode}`);
  return String(answer.headers.location).split('/').at(-1) ?? '';
}

async function jobOf(
  { baseUrl, client }: Setting,
  id: string,
  method: 'GET' | 'DELETE' = 'GET',
): Promise<{ readonly state: string; readonly progress: { readonly processed: number } }> {
  const headers = { authorization: `Bearer ${client.personalAccessToken}` };
  const answer = await fetch(`${baseUrl}/admin/v1/jobs/${id}?result=summary`, { method, headers });
  if (!answer.ok) throw new Error(`The job is answered ${answer.status}`);
  return (await answer.json()) as Awaited<ReturnType<typeof jobOf>>;
}
