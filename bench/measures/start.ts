import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { startApi } from '../programs.js';
import { milliseconds, type Row } from '../report.js';
import type { Setting } from '../setting.js';

/** Node.js gives memory back 100 seconds after its last collection of garbage. */
const restMs = 130_000;
const quickRestMs = 3_000;
const mostMiB = 100;
const mostMs = 1_000;

/** How long an API process takes to be ready, and the memory of one that nobody asks anything. */
export async function measureStart(
  setting: Setting,
  { pace, quick }: { pace: Pace; quick: boolean },
): Promise<Row[]> {
  const times: number[] = [];
  const processor: number[] = [];
  let memory = Number.NaN;
  for (let round = 0; round < pace.rounds; round++) {
    const from = performance.now();
    const api = await startApi(setting, 'start');
    times.push(performance.now() - from);
    processor.push(await api.processorTime());
    if (round === pace.rounds - 1) {
      await pause(quick ? quickRestMs : restMs);
      memory = await api.memory();
    }
    await api.stop();
  }
  const ready = median(times);
  return [
    {
      measure: 'start of the api until it is ready',
      ours: milliseconds(ready),
      peer: `processor time: ${milliseconds(median(processor))}`,
      ratio: '',
      asked: `<= ${mostMs} ms`,
      met: ready <= mostMs ? 'yes' : 'NO',
    },
    {
      measure: `memory of the api ${quick ? quickRestMs / 1_000 : restMs / 1_000} s after its start, at rest`,
      ours: `${memory.toFixed(1)} MiB`,
      peer: 'without a request',
      ratio: '',
      asked: `<= ${mostMiB} MiB`,
      met: memory <= mostMiB ? 'yes' : 'NO',
    },
  ];
}
