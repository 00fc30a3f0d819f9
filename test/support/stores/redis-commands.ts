import type { RedisConnection } from '#src/platform/redis/redis.js';

/** A process tells Redis its counts and what it has stored twice a second, and that requests are late. No request waits for that. */
const inBackground = /:count:|:stored-bytes:|:late$/;

/** Records the names of the commands that the connection sends for requests, until `stop`. */
export function watchRedisCommands(redis: RedisConnection): { readonly names: string[]; stop(): void } {
  const names: string[] = [];
  const { sendCommand } = redis;
  redis.sendCommand = function (this: unknown, what: { name: string; args: unknown[] }, ...rest: unknown[]) {
    if (!what.args.some((arg) => inBackground.test(String(arg)))) names.push(what.name);
    return (sendCommand as (...all: unknown[]) => unknown).call(this, what, ...rest);
  } as typeof sendCommand;
  return {
    names,
    stop() {
      redis.sendCommand = sendCommand;
    },
  };
}
