import { fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { killIfLeft } from '../dev/leftovers.js';
import type { BulkOrder, BulkReport } from './bulk-clients-process.js';
import type { ScimTarget } from './target.js';

/** Clients that keep Bulks of 100 creates in flight beside what is measured. */
export interface BulkClients {
  begin(): void;
  /** Resolves when every Bulk has its response. @throws Error if one was refused */
  end(): Promise<void>;
  close(): void;
}

/**
 * Starts the clients in a process of their own, so that their work does not delay the clients whose latency is measured.
 * @param firstNumber of the people that they add
 */
export function startBulkClients(
  { url, shot }: ScimTarget,
  { inFlight, firstNumber }: { inFlight: number; firstNumber: number },
): BulkClients {
  // The program is TypeScript if this file is.
  const program = join(import.meta.dirname, `bulk-clients-process${extname(import.meta.filename)}`);
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  killIfLeft(child);
  const order = (message: BulkOrder) => void child.send(message);
  const headers = { 'content-type': 'application/scim+json' };
  order({ url, shot: shot({ method: 'POST', path: '/Bulk', headers }), inFlight, firstNumber });
  return {
    begin: () => order('begin'),
    end: () =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error('The clients of the Bulks have ended'));
        child.once('exit', onExit);
        child.once('message', ({ error }: BulkReport) => {
          child.off('exit', onExit);
          if (error === undefined) resolve();
          else reject(new Error(error));
        });
        order('end');
      }),
    close: () => void child.kill('SIGKILL'),
  };
}
