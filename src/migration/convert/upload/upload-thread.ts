import { parentPort, workerData } from 'node:worker_threads';
import { doUploadTask, type UploadTask } from './upload-tasks.js';

/** The thread of `runUploadTask`: it does one task and ends. */
const done = await doUploadTask(workerData as UploadTask);
parentPort?.postMessage(done);
