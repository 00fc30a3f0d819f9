import { isMainThread } from 'node:worker_threads';

// `make run` loads this into its processes before their own code. If the parent is gone, even killed, the process ends
// as at a SIGTERM. The channel only reports the end of the parent. It does not keep a process from ending by itself.
if (isMainThread) {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.connected === false) end();
  process.once('disconnect', end);
  process.channel?.unref();
}
