import { addOrganization } from '#src/organizations/add-organization.js';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { startApi, startWorker } from '../programs.js';
import { judged, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { bodyOf, perSecond, post } from './import-requests.js';

/**
 * Users per second of a verification that finds nothing (API and one worker), from the first byte of the body to the report. The peer is
 * a bare cursor of the driver over the same users.
 */
export async function measureVerify(
  setting: Setting,
  { size, pace }: { size: number; pace: Pace },
): Promise<Row[]> {
  const processes = [await startApi(setting), await startWorker(setting)];
  try {
    const organization = await addOrganization(setting.container, { name: 'Verify', editor });
    const run = { setting, organization };
    const body = () => bodyOf(organization.id, size, 'verify');
    await post(run, { to: 'import', pieces: body(), expected: `"created":${size},` });
    const users = setting.container.mongo.collection<{ _id: string; orgId: string }>('users');
    const rates: { ours: number; bare: number }[] = [];
    for (let round = 0; round < pace.rounds; round++) {
      const ours = await perSecond(size, () =>
        post(run, { to: 'verify', pieces: body(), expected: `"isSame":true`, keeps: 'beginning' }),
      );
      const bare = await perSecond(size, async () => {
        for await (const _user of users.find({ orgId: organization.id }).sort({ _id: 1 }).batchSize(1_000));
      });
      rates.push({ ours, bare });
    }
    const row = {
      measure: `verification of ${size.toLocaleString('en')} users`,
      ours: rate(median(rates.map(({ ours }) => ours)), 'users/s'),
      peer: `bare cursor: ${rate(median(rates.map(({ bare }) => bare)), 'users/s')}`,
    };
    return [judged(row, median(rates.map(({ ours, bare }) => ours / bare)), { atLeast: 0.5 })];
  } finally {
    for (const running of processes.reverse()) await running.stop();
  }
}
