import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { answerLines } from './answer-lines.js';

/** Attempts to read the lines. If the connection breaks this often, another attempt does not help. */
const tries = 10;

/**
 * Yields the lines of an answer of the API, such as the errors of a job, a chunk at a time. If the connection breaks, it asks again and
 * goes on where it was: the lines of a job that has ended have one order.
 * @throws StartError
 */
export async function* jobLines(client: AdminClient, path: string): AsyncGenerator<string[]> {
  let seen = 0;
  for (let attempt = 1; ; attempt++) {
    const answer = await client.insist(path);
    let skipped = seen;
    try {
      for await (const lines of answerLines(answer)) {
        const fresh = lines.slice(Math.min(skipped, lines.length));
        skipped -= lines.length - fresh.length;
        if (fresh.length === 0) continue;
        yield fresh;
        seen += fresh.length;
      }
      return;
    } catch {
      if (attempt === tries) throw new StartError('The answer of the service cannot be read to its end');
    } finally {
      // An answer that the command does not read would keep its connection busy.
      await answer.body?.cancel().catch(() => {});
    }
  }
}
