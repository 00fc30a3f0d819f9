import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { UploadTask, UploadTaskResult } from './upload-tasks.js';

/** The longest time of a task, in milliseconds. */
const longestMs = 60_000;
/** The most memory of a task, in megabytes. A file has at most 8. */
const mostMemory = 512;

/**
 * Does a task in a thread of its own, so that no file holds the event loop, whatever it has. The thread ends with the task.
 * @returns the result, with `why` if the task took too long or too much memory
 */
export function runUploadTask(task: UploadTask): Promise<UploadTaskResult> {
  // A bundle has this function in another file, so the path beside it would be wrong.
  const path = createRequire(import.meta.url).resolve('#src/migration/convert/upload/upload-thread.js');
  const thread = new Worker(path, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve({ why: 'The file takes too long' }), longestMs);
    thread.on('message', resolve);
    thread.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ why: 'The file takes too much memory' });
      else reject(error);
    });
    thread.on('exit', () => {
      clearTimeout(late);
      reject(new Error('The thread ended without a result'));
    });
  }).finally(() => thread.terminate()) as Promise<UploadTaskResult>;
}
