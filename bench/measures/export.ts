import type { Organization } from '#src/directory/organization.js';
import type { Pace } from '../compare.js';
import type { Cost } from '../growth.js';
import { median } from '../load.js';
import { organizationOf } from '../load-users.js';
import type { Running } from '../processes.js';
import { startApi, startWorker } from '../programs.js';
import { compared, judged, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';

/** Sizes of the exported organizations. */
export interface ExportSizes {
  readonly small: number;
  readonly large: number;
  /** Other sizes, for the table of costs. */
  readonly others: readonly number[];
}

/**
 * Users per second of an export into the response (API and one worker). The peer is bare cursors that read the same
 * fields. Also measured: the peak memory of both processes for a large organization compared with a small one.
 */
export async function measureExport(
  setting: Setting,
  { sizes, pace, costs }: { sizes: ExportSizes; pace: Pace; costs: Cost[] },
): Promise<Row[]> {
  const { container } = setting;
  const small = await organizationOf(container, sizes.small);
  const large = await organizationOf(container, sizes.large);
  for (const size of sizes.others) await organizationOf(container, size);
  const processes = [await startApi(setting), await startWorker(setting)];
  const tell = (users: number, rate: number) =>
    costs.push({ what: 'export, µs of one user', users, cost: 1_000_000 / rate });
  try {
    const few: number[] = [];
    const smallPeaks = await peaksDuring(processes, async () => {
      // Repeats the export until the heap has its final size.
      for (let n = 0; n < 10; n++) {
        few.push(await perSecond(sizes.small, () => exportOnce(setting, small)));
      }
    });
    const rates: { ours: number; peer: number }[] = [];
    const largePeaks = await peaksDuring(processes, async () => {
      const rounds = sizes.large > 100_000 ? 1 : pace.rounds;
      for (let round = 0; round < rounds; round++) {
        rates.push({
          ours: await perSecond(sizes.large, () => exportOnce(setting, large)),
          peer: await perSecond(sizes.large, () => readOnce(setting, large)),
        });
      }
    });
    tell(sizes.large, median(rates.map(({ ours }) => ours)));
    for (const size of sizes.others) {
      const organization = await organizationOf(container, size);
      const measured: number[] = [];
      for (let round = 0; round < pace.rounds; round++) {
        measured.push(await perSecond(size, () => exportOnce(setting, organization)));
      }
      tell(size, median(measured));
    }
    const at = (size: number) => `${size.toLocaleString('en')} users`;
    const speed = {
      measure: `export of ${at(sizes.large)}`,
      ours: rate(median(rates.map(({ ours }) => ours)), 'users/s'),
      peer: `bare cursors of ${cursorLength.toLocaleString('en')}: ${rate(median(rates.map(({ peer }) => peer)), 'users/s')}`,
    };
    return [
      judged(speed, median(rates.map(({ ours, peer }) => ours / peer)), { atLeast: 0.7 }),
      compared(
        {
          measure: `rate of an export of ${at(sizes.large)}`,
          ours: speed.ours,
          peer: `of ${at(sizes.small)}: ${rate(median(few), 'users/s')}`,
        },
        median(rates.map(({ ours }) => ours)) / median(few),
      ),
      ...processes.map(({ name }, index) => {
        const [before = Number.NaN, after = Number.NaN] = [smallPeaks[index], largePeaks[index]];
        const row = {
          measure: `memory of the ${name} at its peak, export of ${at(sizes.large)}`,
          ours: `${Math.round(after)} MiB`,
          peer: `of ${at(sizes.small)}: ${Math.round(before)} MiB`,
        };
        return judged(row, after / before, { atMost: 1.3 });
      }),
    ];
  } finally {
    for (const running of processes.reverse()) await running.stop();
  }
}

/** Exports an organization into the response, and reads it to the end. */
export async function exportOnce(
  { baseUrl, client }: Pick<Setting, 'baseUrl' | 'client'>,
  { id }: Pick<Organization, 'id'>,
): Promise<void> {
  const answer = await fetch(`${baseUrl}/admin/v1/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.personalAccessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ orgIds: [id], responseOutput: true, timeout: '1h' }),
  });
  if (!answer.ok || answer.body === null) throw new Error(`The export answers ${answer.status}`);
  for await (const _chunk of answer.body) {
    // Reads to the end, as a client does that writes the export to a file.
  }
}

/** Users per bare cursor. On some engines a longer cursor slows down with its length, and would be no ceiling. */
const cursorLength = 20_000;

async function readOnce({ container }: Setting, { id: orgId }: Organization): Promise<void> {
  const projection = { search: 0, schemaVersion: 0, password: 0, totp: 0 };
  const users = container.mongo.collection<{ _id: string; orgId: string }>('users');
  let last: string | undefined;
  let read: number;
  do {
    read = 0;
    const filter = { orgId, ...(last !== undefined && { _id: { $gt: last } }) };
    const cursor = users.find(filter, { projection }).hint({ orgId: 1, _id: 1 }).sort({ _id: 1 });
    for await (const { _id } of cursor.limit(cursorLength).batchSize(1_000)) {
      last = _id;
      read += 1;
    }
  } while (read === cursorLength);
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return count / ((performance.now() - started) / 1000);
}

/** The peak memory of each process during the work, in MiB. */
export async function peaksDuring(
  processes: readonly Running[],
  work: () => Promise<void>,
): Promise<number[]> {
  const peaks = processes.map(() => 0);
  const look = async () => {
    for (const [index, running] of processes.entries()) {
      peaks[index] = Math.max(peaks[index] ?? 0, await running.memory());
    }
  };
  const timer = setInterval(() => void look(), 50);
  try {
    await work();
    await look();
  } finally {
    clearInterval(timer);
  }
  return peaks;
}
