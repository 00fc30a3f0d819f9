import { Queue, type QueueOptions } from 'bullmq';

/** Times that it is tried: a process that starts on a busy machine may read an answer too late. */
const attempts = 5;

/**
 * Opens a queue that jobs can be added to. BullMQ asks the server for its version once and remembers for ever that it
 * got no answer, so a queue without one is closed and opened anew.
 * @param failed is told what goes wrong, now and later
 * @throws Error when Redis does not answer
 */
export async function openQueue(
  name: string,
  options: QueueOptions,
  failed: (error: Error) => void,
): Promise<Queue> {
  for (let attempt = 1; ; attempt++) {
    const queue = new Queue(name, options);
    queue.on('error', failed);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      await queue.close();
      if (attempt === attempts) throw error;
    }
  }
}
