import cluster from 'node:cluster';

/**
 * A terminal sends these signals to every process at once. Under a supervisor, only the supervisor handles
 * them.
 */
const terminalSignals = cluster.isWorker ? (['SIGINT', 'SIGHUP'] as const) : [];

/**
 * The signals that a supervised process ignores, because the supervisor tells it when to close. None without
 * a supervisor.
 */
export function leaveSignalsToSupervisor(): ('SIGINT' | 'SIGHUP')[] {
  for (const signal of terminalSignals) process.on(signal, () => undefined);
  return [...terminalSignals];
}

/** Tells the supervisor, if there is one, that this process serves requests. */
export function announceReady(): void {
  if (cluster.isWorker) process.send?.('ready');
}
