import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import t from 'tap';
import { lowerThreadPriority } from '#src/platform/thread-priority.js';

const isLinux = process.platform === 'linux';

/** How nice each thread of this process is, by its identifier. */
function nicenessOfThreads(): Map<number, number> {
  return new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const line = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
      return [Number(thread), Number(fields[16])] as const;
    }),
  );
}

t.test('the threads of libuv are nicer, and no other thread', { skip: !isLinux }, async (t) => {
  const before = getPriority();
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
  t.equal(await lowerThreadPriority(threads, 5), threads);
  const niceness = nicenessOfThreads();
  t.equal([...niceness.values()].filter((one) => one === before + 5).length, threads);
  t.equal(niceness.get(process.pid), before, 'the event loop keeps its priority');
});

t.test('a priority has an end', { skip: !isLinux }, async (t) => {
  await lowerThreadPriority(Number(process.env['UV_THREADPOOL_SIZE'] ?? 4), 40);
  t.equal(Math.max(...nicenessOfThreads().values()), 19);
});
