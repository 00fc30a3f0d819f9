import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchLts, newestLts } from '../../dev/lts.js';
import type { Pace } from '../compare.js';
import { fire, type Load, median } from '../load.js';
import { firstNumbers, scimUser } from '../people.js';
import { imageNodeOptions, residentMemory } from '../processes.js';
import { startApi } from '../programs.js';
import { milliseconds, type Row } from '../report.js';
import type { Setting } from '../setting.js';
import { scimTarget } from '../target.js';
import { tokenRequest } from './tokens.js';

/** Node.js gives memory back 100 seconds after its last collection of garbage. */
const restMs = 130_000;
const quickRestMs = 3_000;
const mostMiB = 100;
const mostMs = 500;
/** After a load, and how long after its end. */
const mostAfterLoadMiB = 150;
const afterLoadMs = 60_000;
const secondsOfLoad = 20;
const connections = 48;

/** The environment of the image: the newest Node.js, its options, and its compile cache. */
interface Image {
  readonly node: string;
  readonly env: Record<string, string>;
}

/** How long an API process takes to be ready as in the image, beside Node.js alone, and its memory: at rest, and after load. */
export async function measureStart(
  setting: Setting,
  { pace, quick }: { pace: Pace; quick: boolean },
): Promise<Row[]> {
  const cache = await mkdtemp(join(tmpdir(), 'muster-compile-cache-'));
  try {
    const node = await fetchLts(newestLts, (message) => console.error(message));
    const image = { node, env: { NODE_OPTIONS: imageNodeOptions, NODE_COMPILE_CACHE: cache } };
    makeCache(image);
    const inImage = { ...setting, env: { ...setting.env, ...image.env } };
    return [await timeOfStart(inImage, image, pace), ...(await memoryOf(inImage, image, quick))];
  } finally {
    await rm(cache, { recursive: true });
  }
}

/** As the Dockerfile does. */
function makeCache({ node, env }: Image): void {
  const made = spawnSync(node, ['dev/compile-cache.ts'], {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env },
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`There is no compile cache: ${made.stderr}`);
}

async function timeOfStart(setting: Setting, { node }: Image, { rounds }: Pace): Promise<Row> {
  const times: number[] = [];
  const processor: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await timeOfNode(node));
    const from = performance.now();
    const api = await startApi(setting, 'start', node);
    times.push(performance.now() - from);
    processor.push(await api.processorTime());
    await api.stop();
  }
  const ready = median(times);
  return {
    measure: 'start of the api until it is ready',
    ours: milliseconds(ready),
    peer: `processor time: ${milliseconds(median(processor))}; Node.js alone: ${milliseconds(median(bare))}`,
    ratio: median(times.map((time, round) => time / (bare[round] ?? 1))).toFixed(2),
    asked: `<= ${mostMs} ms`,
    met: ready <= mostMs ? 'yes' : 'NO',
  };
}

/** How long Node.js takes to start and end without a program. */
async function timeOfNode(node: string): Promise<number> {
  const from = performance.now();
  await once(spawn(node, ['--eval', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - from;
}

/** The memory of an API process that nobody has asked anything, and of one that has served a load. */
async function memoryOf(setting: Setting, { node }: Image, quick: boolean): Promise<Row[]> {
  const bare = await memoryOfNode(node);
  const api = await startApi(setting, 'start', node);
  try {
    await pause(quick ? quickRestMs : restMs);
    const atRest = await api.memory();
    for (const load of loads(setting)) await fire(load, quick ? 2 : secondsOfLoad);
    const full = await api.memory();
    await pause(quick ? quickRestMs : afterLoadMs);
    const after = await api.memory();
    return [
      {
        measure: `memory of the api ${quick ? quickRestMs / 1_000 : restMs / 1_000} s after its start, at rest`,
        ours: mebibytes(atRest),
        peer: `Node.js alone: ${mebibytes(bare)}`,
        ratio: (atRest / bare).toFixed(2),
        asked: `<= ${mostMiB} MiB`,
        met: atRest <= mostMiB ? 'yes' : 'NO',
      },
      {
        measure: `memory of the api ${quick ? quickRestMs / 1_000 : afterLoadMs / 1_000} s after a load`,
        ours: mebibytes(after),
        peer: `at rest before it: ${mebibytes(atRest)}; at its end: ${mebibytes(full)}`,
        ratio: (after / atRest).toFixed(2),
        asked: `<= ${mostAfterLoadMiB} MiB`,
        met: after <= mostAfterLoadMiB ? 'yes' : 'NO',
      },
    ];
  } finally {
    await api.stop();
  }
}

/** Tokens, lists and creates, one after the other. */
function loads(setting: Setting): Load[] {
  const { baseUrl: url, organization, client } = setting;
  const target = scimTarget(url, organization.id, client.personalAccessToken);
  const headers = { 'content-type': 'application/scim+json' };
  let number: number = firstNumbers.start;
  const create = () => {
    number += 1;
    return target.shot({ method: 'POST', path: '/Users', headers, body: JSON.stringify(scimUser(number)) });
  };
  return [
    { url, connections, next: tokenRequest(setting) },
    { url, connections, next: create },
    { url, connections, next: target.shot({ method: 'GET', path: '/Users?count=100' }) },
  ];
}

async function memoryOfNode(node: string): Promise<number> {
  const child = spawn(node, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await pause(quickRestMs);
  const memory = await residentMemory(child.pid);
  child.kill();
  return memory;
}

const mebibytes = (value: number) => `${value.toFixed(0)} MiB`;
