import cluster from 'node:cluster';

/** One process of the service, as the supervisor sees it. */
export interface Child {
  readonly pid: number;
  /** Resolves when the process serves. Rejects if the process ends before that. */
  readonly ready: Promise<void>;
  /** Resolves with the exit code of the process, or with the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Asks the process to finish its work and to end. */
  close(): void;
  /** Ends the process at once. */
  kill(): void;
}

/**
 * Starts a script as a process that shares ports with the others. This process opens the ports and distributes the
 * connections in turn. The child ends when this process ends.
 * @param env variables to add to the environment of this process
 */
export function launchProcess(script: string, env: Readonly<Record<string, string>>): Child {
  cluster.setupPrimary({ exec: script, args: [] });
  const worker = cluster.fork(env);
  const ended = new Promise<number | string>((done) => {
    worker.once('exit', (code, signal) => done(signal ?? code));
    worker.once('error', (error) => {
      // A process that could not be started emits no exit.
      if (worker.process.pid === undefined) done(error.message);
    });
  });
  const ready = new Promise<void>((serves, failed) => {
    worker.on('message', (message: unknown) => {
      if (message === 'ready') serves();
    });
    void ended.then((how) => failed(new Error(`It ended (${how}) before it served`)));
  });
  // Callers that do not wait for `ready` use `ended`. The rejection must not be unhandled.
  ready.catch(() => undefined);
  return {
    pid: worker.process.pid ?? 0,
    ready,
    ended,
    close: () => void worker.process.kill('SIGTERM'),
    kill: () => void worker.process.kill('SIGKILL'),
  };
}
