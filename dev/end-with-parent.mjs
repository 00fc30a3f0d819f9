import { isMainThread } from 'node:worker_threads';

// Loaded into the processes of `make run` before their own code: one whose parent is gone, killed perhaps, ends as
// at a SIGTERM. The channel tells of the parent's end alone and keeps no process from ending by itself.
if (isMainThread) {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.connected === false) end();
  process.once('disconnect', end);
  process.channel?.unref();
}
