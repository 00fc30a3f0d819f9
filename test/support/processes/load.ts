import { setTimeout as pause } from 'node:timers/promises';
import type { HttpAnswer } from '../../../dev/stage/http-client.js';
import { until } from '../../../dev/until.js';

/** Clients that call again and again. */
export interface Load {
  /** Waits until so many more requests are answered. */
  answers(more: number): Promise<void>;
  /** Ends it. @returns what failed or was answered otherwise than expected, shortly; the first few of each kind */
  stop(): Promise<string[]>;
}

/**
 * @param call sends the request of a number, which no other has; `parallel` of them at a time
 * @param expected the statuses that are no failure
 */
export function keepCalling(
  call: (number: number) => Promise<Pick<HttpAnswer, 'status' | 'body'>>,
  { parallel, expected }: { parallel: number; expected: readonly number[] },
): Load {
  const failures: string[] = [];
  let isDone = false;
  let sent = 0;
  let answered = 0;
  const callers = Array.from({ length: parallel }, async () => {
    while (!isDone && failures.length < 10) {
      const number = sent++;
      try {
        const { status, body } = await call(number);
        if (!expected.includes(status)) failures.push(`${number}: ${status} ${JSON.stringify(body)}`);
      } catch (error) {
        failures.push(`${number}: ${error}`);
      }
      answered++;
      // Leaves the cores to who is called.
      await pause(25);
    }
  });
  return {
    async answers(more) {
      const enough = answered + more;
      await until(() => answered >= enough || failures.length > 0, { within: 120_000 });
    },
    async stop() {
      isDone = true;
      await Promise.all(callers);
      return failures;
    },
  };
}
