import { Queue, QueueEvents, type QueueEventsOptions, type QueueOptions } from 'bullmq';

/** The number of tries. A process that starts on a busy machine may read an answer too late. */
const attempts = 5;

/**
 * Opens a queue that can take jobs. BullMQ asks Redis for its version once. If it gets no answer, that queue object never
 * works, so it is closed and another one is opened.
 * @param failed is called with each error of the queue, also after it was opened
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

/** Listens to the events of a queue, from the oldest one on. Call it by a late import of this file: BullMQ is CommonJS, and its names are lost otherwise. */
export function openQueueEvents(name: string, options: QueueEventsOptions): QueueEvents {
  return new QueueEvents(name, { ...options, lastEventId: '0-0' });
}
