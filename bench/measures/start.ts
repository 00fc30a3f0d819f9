import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** How long Node.js takes to start and end without a program. */
async function timeOfNode(): Promise<number> {
  const from = performance.now();
  await once(spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - from;
}

/** How long an API process takes to be ready, beside Node.js alone, and the memory of one that nobody asks anything. */
export async function measureStart(
  setting: Setting,
  { pace, quick }: { pace: Pace; quick: boolean },
): Promise<Row[]> {
  const times: number[] = [];
  const processor: number[] = [];
  const bare: number[] = [];
  let memory = Number.NaN;
  for (let round = 0; round < pace.rounds; round++) {
    bare.push(await timeOfNode());
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
      peer: `processor time: ${milliseconds(median(processor))}; Node.js alone: ${milliseconds(median(bare))}`,
      ratio: median(times.map((time, round) => time / (bare[round] ?? 1))).toFixed(2),
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
