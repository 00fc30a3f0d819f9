import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { GivenTask, UploadTask, UploadTaskResult } from './upload-tasks.js';

/** The longest time of a task, in milliseconds. It is shorter than others wait for their turn. */
const longestMs = 15_000;
/** The most bytes that a task writes. A pod of Kubernetes has 64 MiB for temporary files, and ends with more. */
const mostWritten = 40 * 2 ** 20;
const lookMs = 100;
/** The most memory of a task, in megabytes. A file has at most 8. */
const mostMemory = 256;

/**
 * Does a task in a thread of its own, so that no file holds the event loop, whatever it has. The thread ends with the task.
 * @returns the result, with `why` if the task took too long, too much memory or too much of the disk
 */
export async function runUploadTask(task: GivenTask): Promise<UploadTaskResult> {
  if (task.task !== 'convert') return inThread(task);
  // Only this process may read it. A thread that is ended cannot remove it.
  const folder = await mkdtemp(join(tmpdir(), 'muster-upload-'));
  try {
    return await inThread({ ...task, options: { ...task.options, folder } }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inThread(task: UploadTask, folder?: string): Promise<UploadTaskResult> {
  // A bundle has this function in another file, so the path beside it would be wrong.
  const path = createRequire(import.meta.url).resolve('#src/migration/convert/upload/upload-thread.js');
  const thread = new Worker(path, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  return new Promise<UploadTaskResult>((resolve, reject) => {
    const late = setTimeout(
      () => resolve({ why: { id: 'tooMuch', params: { detail: 'The file takes too long' } } }),
      longestMs,
    );
    const look = setInterval(async () => {
      if (folder !== undefined && (await bytesIn(folder)) > mostWritten)
        resolve({ why: { id: 'tooMuch', params: { detail: 'The file becomes too large' } } });
    }, lookMs);
    thread.on('message', resolve);
    thread.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve({ why: { id: 'tooMuch', params: { detail: 'The file takes too much memory' } } });
      else reject(error);
    });
    thread.on('exit', () => {
      clearTimeout(late);
      clearInterval(look);
      reject(new Error('The thread ended without a result'));
    });
  }).finally(() => thread.terminate());
}

/** The bytes of the files below a folder. Files that vanish meanwhile count nothing. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
