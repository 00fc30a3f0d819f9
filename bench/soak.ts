import { setTimeout as pause } from 'node:timers/promises';
import { openStage } from '../test/support/processes.js';
import { imageNodeOptions } from './processes.js';
import { type Caller, type Expected, makeCallers } from './soak/callers.js';
import { checkEnd } from './soak/check-end.js';
import { faultsOf } from './soak/faults.js';
import { type Service, startService } from './soak/service.js';
import { createTally } from './soak/tally.js';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 10);
const faultEverySeconds = Number(process.env['SOAK_FAULT_SECONDS'] ?? 60);

/**
 * Mixed load for `SOAK_MINUTES` with a fault every `SOAK_FAULT_SECONDS`, on stores of its own. Then everything that
 * clients were told is compared with what is stored. Ends with 1 when an answer was wrong or something differs.
 */
async function main(): Promise<boolean> {
  const ends: (() => unknown)[] = [];
  const log = (message: unknown) => console.error(message);
  const stage = await openStage(
    { teardown: (end) => void (typeof end === 'function' && ends.push(end)), comment: log },
    { ownStores: true, settings: { LOG_LEVEL: 'info', NODE_OPTIONS: imageNodeOptions } },
  );
  if (stage === undefined)
    throw new Error('Only given stores are to be had here, and they are not ours to kill');
  try {
    return await soak(await startService(stage, createTally()), log);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function soak(service: Service, log: (line: string) => void): Promise<boolean> {
  const { tally } = service;
  const expected: Expected = { users: new Map(), revoked: [] };
  const callers = await makeCallers(service, expected);
  let numbers = 0;
  const loads = callers.map((caller) => keepGoing(service, caller, () => numbers++));
  const broken = Promise.all(loads);
  broken.catch(() => service.stop());

  const started = performance.now();
  const end = started + minutes * 60_000;
  await pause(Math.min(faultEverySeconds * 1000, 30_000));
  const memory = [await service.memory()];
  const faults = faultsOf(service);
  for (let round = 0; performance.now() < end && !service.isStopped(); round++) {
    const fault = faults[round % faults.length];
    if (fault === undefined) break;
    const ms = await service.disturb(() => fault.run());
    log(`${at(started)} ${fault.name}; all processes are ready ${ms} ms after it was repaired`);
    await pause(Math.max(0, Math.min(faultEverySeconds * 1000, end - performance.now())));
    memory.push(await service.memory());
  }
  service.stop();
  await broken;

  console.log(tally.table().join('\n'));
  const errors = service.errors();
  const { expected: asked, found, differences } = await checkEnd(service, expected);
  const lines = [
    '',
    `Users that clients were told of: ${asked}; found: ${found}. Tokens revoked: ${expected.revoked.length}.`,
    `Memory of the API process, from the start to the end, in MiB: ${memory.map(({ api }) => api).join(' ')}.`,
    `Memory of the worker: ${memory.map(({ worker }) => worker).join(' ')}.`,
    `Lines of level error in the logs: ${errors.length}.`,
    ...[...tally.wrongs, ...differences, ...errors].slice(0, 30),
  ];
  console.log(lines.join('\n'));
  return tally.wrongs.length === 0 && differences.length === 0;
}

/** What is begun is ended before the caller stops, so that nothing is left unknown. */
async function keepGoing(service: Service, caller: Caller, nextNumber: () => number): Promise<void> {
  while (!service.isStopped()) await caller.turn(nextNumber());
}

const at = (started: number) => `${Math.round((performance.now() - started) / 1000)} s:`;

process.exitCode = (await main()) ? 0 : 1;
