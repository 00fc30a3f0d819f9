import type { Running } from '../processes.js';

/** A process that is started again when it ends by itself. */
export interface KeptProcess extends Pick<Running, 'memory' | 'processorTime' | 'stop'> {
  /** How often it has ended by itself. */
  deaths(): number;
  /** Resolves when the process runs. @throws Error if it cannot be started again */
  ready(): Promise<void>;
}

/** Keeps a process running, as a service manager does. @param start starts it for the n-th time */
export async function keepProcess(start: (n: number) => Promise<Running>): Promise<KeptProcess> {
  let deaths = 0;
  let isStopped = false;
  let running = await start(0);
  let starting = Promise.resolve();
  const watch = () => {
    void running.ended.then(() => {
      if (isStopped) return;
      deaths++;
      starting = start(deaths).then((again) => {
        running = again;
        watch();
      });
      starting.catch(() => undefined);
    });
  };
  watch();
  return {
    deaths: () => deaths,
    ready: () => starting,
    // A process that has ended takes none.
    memory: async () => (await running.memory()) || 0,
    processorTime: () => running.processorTime(),
    async stop() {
      isStopped = true;
      await starting.catch(() => undefined);
      await running.stop();
    },
  };
}
