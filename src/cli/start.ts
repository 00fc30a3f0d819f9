import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Config } from '#src/config.js';
import { createLogger } from '#src/platform/logger.js';
import { StartError } from '#src/platform/start-failure.js';
import { readConfig } from '#src/read-config.js';
import { launchProcess } from './launch-process.js';
import { type Slot, type Supervisor, supervise } from './supervise.js';

/** Time until a process that does not come to serve is given up, in milliseconds. */
const readyMs = 60_000;
/** Time that a process gets beyond its own limit before it is killed, in milliseconds. */
const beyondMs = 5_000;
const mostProcesses = 1_000;

/**
 * `muster start`: API processes that share one port, and workers, on one machine. One that dies is started anew; at
 * SIGHUP all are replaced one after another, at SIGTERM or SIGINT all close.
 */
export async function start(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      processes: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
    },
  });
  const processes = readCount('--processes', values.processes);
  const workers = readCount('--workers', values.workers);
  if (processes + workers === 0) throw new StartError('There is nothing to start.');
  const config = readConfig();
  refuseClash(config, processes + workers);
  const logger = createLogger({ level: config.logLevel, processName: 'supervisor' });
  const supervising = supervise(slotsOf({ processes, workers, metricsPort: config.metricsPort }), {
    logger,
    readyMs,
    closeMs: (config.drainSeconds + config.shutdownSeconds) * 1000 + beyondMs,
  });

  // A start that failed is told below.
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

/** Processes of one supervisor share what they listen on, so that it would go unseen. */
function refuseClash({ port, metricsPort }: Pick<Config, 'port' | 'metricsPort'>, count: number): void {
  if (metricsPort === 0) return;
  const last = metricsPort + count - 1;
  const ports = `${count} processes serve metrics at the ports ${metricsPort} to ${last}`;
  if (last > 65_535) throw new StartError(`${ports}, and 65535 is the last one. Lower MUSTER_METRICS_PORT.`);
  if (port >= metricsPort && port <= last) {
    throw new StartError(`${ports}, and clients come to ${port}. Change PORT or MUSTER_METRICS_PORT.`);
  }
}

/** Each serves its metrics at a port of its own: the one that is set and those after it. */
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
