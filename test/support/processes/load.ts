import { setTimeout as pause } from 'node:timers/promises';
import type { HttpAnswer } from '../../../dev/stage/http-client.js';
import { until } from '../../../dev/until.js';

/** Clients that call repeatedly. */
export interface Load {
  /** Waits until this many more requests are answered. */
  answers(more: number): Promise<void>;
  /** Ends the load. @returns a short text for each failed or unexpected response, the first few of each kind */
  stop(): Promise<string[]>;
}

/**
 * @param call sends the request with this number. Each number is used once. `parallel` requests run at a time.
 * @param expected the statuses that are not failures
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
      // Leaves processor time to the called process, and to other test files.
      await pause(250);
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
