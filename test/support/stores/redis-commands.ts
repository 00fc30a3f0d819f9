import type { RedisConnection } from '#src/platform/redis/redis.js';

/** Records the names of the commands that the connection sends, until `stop`. */
export function watchRedisCommands(redis: RedisConnection): { readonly names: string[]; stop(): void } {
  const names: string[] = [];
  const { sendCommand } = redis;
  redis.sendCommand = function (this: unknown, what: { name: string }, ...rest: unknown[]) {
    names.push(what.name);
    return (sendCommand as (...all: unknown[]) => unknown).call(this, what, ...rest);
  } as typeof sendCommand;
  return {
    names,
    stop() {
      redis.sendCommand = sendCommand;
    },
  };
}
