import cluster from 'node:cluster';

/** Signals that reach every process of a terminal at once: under a supervisor it alone answers them. */
const terminalSignals = cluster.isWorker ? (['SIGINT', 'SIGHUP'] as const) : [];

/**
 * The signals that a process under a supervisor lets pass, since the supervisor tells it when to close; none in a
 * process by itself.
 */
export function leaveSignalsToSupervisor(): ('SIGINT' | 'SIGHUP')[] {
  for (const signal of terminalSignals) process.on(signal, () => undefined);
  return [...terminalSignals];
}

/** Tells the supervisor, where there is one, that this process serves from now on. */
export function announceReady(): void {
  if (cluster.isWorker) process.send?.('ready');
}
