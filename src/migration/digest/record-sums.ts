import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createThreads } from '#src/platform/threads.js';
import { sumOf } from './record-digest.js';

/** Sums up records. To expand a record costs as much as to compare it, so a thread does it while the next part is compared. */
export interface RecordSums {
  /** `RecordSum.bytes` of the sum of these records. */
  of(texts: readonly string[]): Promise<Buffer>;
  close(): Promise<void>;
}

/** Fewer records are summed up at once, because to ask the thread costs more. */
const worthThread = 100;

/** The thread starts with the first large part. It does not keep the process alive. */
export function createRecordSums(): RecordSums {
  // Found now, because a program that is missing would only be noticed as slow: `of` does the work then.
  const program = createRequire(import.meta.url).resolve('#src/migration/digest/sum-thread.js');
  const threads = createThreads<readonly string[], Uint8Array>({ size: 1, start: () => new Worker(program) });
  return {
    async of(texts) {
      if (texts.length < worthThread) return sumOf(texts).bytes();
      try {
        const { buffer, byteOffset, length } = await threads.ask(texts);
        return Buffer.from(buffer, byteOffset, length);
      } catch {
        // A thread that has ended must not make a part look faulty.
        return sumOf(texts).bytes();
      }
    },
    close: threads.close,
  };
}
