import { fileURLToPath } from 'node:url';
import type { Config } from '#src/config.js';
import { createLogger } from '#src/platform/logger.js';
import { StartError } from '#src/platform/start-error.js';
import { readConfig } from '#src/read-config.js';
import { launchProcess } from './launch-process.js';
import { type Slot, type Supervisor, supervise } from './supervise.js';

/** Time that a process has to become ready, in milliseconds. The supervisor then kills it. */
const readyMs = 60_000;
/** Time that a process gets beyond its own limit before the supervisor kills it, in milliseconds. */
const beyondMs = 5_000;
const mostProcesses = 1_000;

/**
 * Runs `muster start`: API processes that share one port, and workers, on one machine. If a process dies, the
 * supervisor starts another. SIGHUP replaces all processes one after another. SIGTERM and SIGINT close all processes.
 */
export async function start(options: {
  readonly processes: string;
  readonly workers: string;
}): Promise<void> {
  const processes = readCount('--processes', options.processes);
  const workers = readCount('--workers', options.workers);
  if (processes + workers === 0) throw new StartError('Set --processes or --workers to at least 1.');
  const config = readConfig();
  refuseClash(config, processes + workers);
  const logger = createLogger({ level: config.logLevel, processName: 'supervisor' });
  const supervising = supervise(slotsOf({ processes, workers, metricsPort: config.metricsPort }), {
    logger,
    readyMs,
    closeMs: (config.drainSeconds + config.shutdownSeconds) * 1000 + beyondMs,
  });

  // The end of this function reports a failed start.
  const withSupervisor = (act: (supervisor: Supervisor) => Promise<unknown>) =>
    supervising.then(act, () => undefined);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'closing');
      void withSupervisor(async ({ close }) => process.exit((await close()) ? 0 : 1));
    });
  }
  process.on('SIGHUP', () => void withSupervisor(({ restart }) => restart()));
  await supervising.catch((error: Error) => {
    throw new StartError(`A process could not be started. ${error.message}.`);
  });
  logger.info({ processes, workers }, 'all processes serve');
}

function readCount(option: string, text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= mostProcesses) return count;
  throw new StartError(`${option} is a number from 0 to ${mostProcesses}.`);
}

/**
 * Throws if a metrics port is also the port for clients. The processes of one supervisor share ports, so listening
 * twice would not fail.
 */
function refuseClash({ port, metricsPort }: Pick<Config, 'port' | 'metricsPort'>, count: number): void {
  if (metricsPort === 0) return;
  const last = metricsPort + count - 1;
  const ports = `${count} processes serve metrics at the ports ${metricsPort} to ${last}`;
  if (last > 65_535) throw new StartError(`${ports}, and 65535 is the last one. Lower MUSTER_METRICS_PORT.`);
  if (port >= metricsPort && port <= last) {
    throw new StartError(`${ports}, and clients come to ${port}. Change PORT or MUSTER_METRICS_PORT.`);
  }
}

/**
 * Returns the slots of all processes. Each process serves its metrics at its own port, counted from the configured one.
 */
function slotsOf(wanted: { processes: number; workers: number; metricsPort: number }): Slot[] {
  const { processes, workers, metricsPort } = wanted;
  const scripts = [
    ...Array<string>(processes).fill('#src/server.js'),
    ...Array<string>(workers).fill('#workers/main.js'),
  ];
  return scripts.map((script, index) => {
    const path = fileURLToPath(import.meta.resolve(script));
    const env = { ...(metricsPort > 0 && { MUSTER_METRICS_PORT: String(metricsPort + index) }) };
    return {
      name: index < processes ? `api ${index}` : `worker ${index - processes}`,
      launch: () => launchProcess(path, env),
    };
  });
}
