import cluster from 'node:cluster';

/** One process of the service, as its supervisor sees it. */
export interface Child {
  readonly pid: number;
  /** Comes when it serves; fails when it ends before. */
  readonly ready: Promise<void>;
  /** Comes with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Asks it to finish what it began and to end. */
  close(): void;
  /** Ends it at once. */
  kill(): void;
}

/**
 * Starts a script as a process that shares ports with the others: what several of them listen on is opened here, and
 * connections go to them in turn. It ends with this process.
 * @param env added to the environment of this process
 */
export function launchProcess(script: string, env: Readonly<Record<string, string>>): Child {
  cluster.setupPrimary({ exec: script, args: [] });
  const worker = cluster.fork(env);
  const ended = new Promise<number | string>((done) => {
    worker.once('exit', (code, signal) => done(signal ?? code));
    worker.once('error', (error) => {
      // One that could not be started has no exit.
      if (worker.process.pid === undefined) done(error.message);
    });
  });
  const ready = new Promise<void>((serves, failed) => {
    worker.on('message', (message: unknown) => {
      if (message === 'ready') serves();
    });
    void ended.then((how) => failed(new Error(`It ended (${how}) before it served`)));
  });
  // Who does not wait for it learns of its end in the other way.
  ready.catch(() => undefined);
  return {
    pid: worker.process.pid ?? 0,
    ready,
    ended,
    close: () => void worker.process.kill('SIGTERM'),
    kill: () => void worker.process.kill('SIGKILL'),
  };
}
