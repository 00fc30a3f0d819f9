import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installPrograms, programNames } from '../dev/programs.js';
import { openStage } from '../dev/stage/stage.js';
import { imageNodeOptions } from './processes.js';
import type { Caller } from './soak/caller.js';
import { makeCallers } from './soak/callers.js';
import { checkEnd, storedNames } from './soak/check-end.js';
import { createExpected } from './soak/expected.js';
import { type Faults, faultsOf } from './soak/faults.js';
import { watchMemory } from './soak/memory.js';
import { detailsOf, type FaultRun, failuresOf, reportOf, type Seen } from './soak/report.js';
import { type Service, startService } from './soak/service.js';
import { createTally } from './soak/tally.js';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 10);
const faultEveryMs = Number(process.env['SOAK_FAULT_SECONDS'] ?? 60) * 1000;
/** The minimum time without a fault between two faults, however long the first one took. */
const calmMs = Math.min(10_000, faultEveryMs / 4);
/** Longer than processes buffer log lines. */
const logsWrittenMs = 1_000;
const log = (message: string) => console.error(message);

/**
 * Runs mixed load for `SOAK_MINUTES` on its own stores, with a fault every `SOAK_FAULT_SECONDS`. Then compares the
 * responses that clients got with the stored data. Writes the result to `soak-results.md`.
 * @returns whether the run succeeded. The last lines of the output have the reasons of a failure.
 */
async function main(): Promise<boolean> {
  await installPrograms(programNames, log);
  const ends: (() => unknown)[] = [];
  const test = {
    teardown: (end: unknown) => void (typeof end === 'function' && ends.push(() => end())),
    comment: log,
    pass(message: string) {
      log(message);
      return true;
    },
  };
  const stage = await openStage(test, {
    ownStores: true,
    settings: { LOG_LEVEL: 'info', NODE_OPTIONS: imageNodeOptions },
  });
  if (stage === undefined)
    throw new Error('Only given stores are to be had here, and they are not ours to kill');
  try {
    const service = await startService(stage, createTally());
    const seen = await soak(service, await faultsOf(service, test));
    const failures = failuresOf(seen);
    const report = reportOf(seen);
    await keep(report, failures);
    console.log([report, ...detailsOf(seen), ...failures.map((failure) => `FAILED: ${failure}.`)].join('\n'));
    return failures.length === 0;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function soak(service: Service, { faults, leftOut }: Faults): Promise<Seen> {
  const { stage, tally, errorLines } = service;
  const expected = createExpected();
  const before = await storedNames(stage);
  const { callers, checkRevoked } = await makeCallers(service, expected);
  let numbers = 0;
  const loads = Promise.all(callers.map((caller) => keepGoing(service, caller, () => numbers++)));
  loads.catch(() => service.stop());
  const memoryUse = watchMemory(service);

  const started = performance.now();
  const end = started + minutes * 60_000;
  const runs: FaultRun[] = [];
  for (let at = started + faultEveryMs / 2; at < end && !service.isStopped(); at += faultEveryMs) {
    await pause(Math.max(calmMs, at - performance.now()));
    const fault = faults[runs.length % faults.length];
    if (fault === undefined || performance.now() > end) break;
    const readyMs = await service.disturb(fault.run).catch((error: Error) => {
      tally.wrong(fault.name, error.message);
      return undefined;
    });
    if (readyMs === undefined) break;
    runs.push({ name: fault.name, readyMs });
    const seconds = Math.round((performance.now() - started) / 1000);
    log(`${seconds} s: ${fault.name}; all processes are ready ${readyMs} ms after it was repaired`);
  }
  await pause(Math.max(calmMs, end - performance.now()));
  const memory = await memoryUse();
  service.stop();
  await loads.then(checkRevoked).catch((error: Error) => tally.wrong('load', error.message));
  await pause(logsWrittenMs);
  errorLines.read('unexplained');
  return {
    tally,
    faults: runs,
    leftOut,
    end: await checkEnd(stage, expected, before),
    expected,
    memory,
    errorLines,
  };
}

/** A turn that has begun also ends before the caller stops, so that its result is known. */
async function keepGoing(service: Service, caller: Caller, nextNumber: () => number): Promise<void> {
  while (!service.isStopped()) await caller.turn(nextNumber());
}

async function keep(report: string, failures: readonly string[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node.js ${process.version}`;
  const text = `# Soak

Made by \`make soak\` on ${day} UTC: ${minutes} minutes of mixed load on two API processes and two workers, with a fault every
${faultEveryMs / 1000} seconds. Machine: ${machine}; the load, the processes and the stores share them.

${failures.length === 0 ? 'All was as it should be.' : failures.map((failure) => `- FAILED: ${failure}.`).join('\n')}

${report}`;
  await writeFile(join(import.meta.dirname, 'soak-results.md'), text);
}

process.exitCode = (await main()) ? 0 : 1;
