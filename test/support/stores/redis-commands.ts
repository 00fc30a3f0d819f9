import type { RedisConnection } from '#src/platform/redis/redis.js';

/** A process tells Redis its counts and what it has stored twice a second, and that requests are late. No request waits for that. */
const inBackground = /:count:|:stored-bytes:|:late$/;

/** Records the names of the commands that the connection sends for requests, until `stop`. */
export function watchRedisCommands(redis: RedisConnection): {
  readonly names: string[];
  /** Returns how many messages carried commands for requests since the last call. Commands that are sent together are one message. */
  messages(): number;
  stop(): void;
} {
  const names: string[] = [];
  let messages = 0;
  let isOpen = false;
  const countMessage = () => {
    if (!isOpen) messages += 1;
    isOpen = true;
    queueMicrotask(() => {
      isOpen = false;
    });
  };
  const { sendCommand } = redis;
  redis.sendCommand = function (this: unknown, what: { name: string; args: unknown[] }, ...rest: unknown[]) {
    if (!what.args.some((arg) => inBackground.test(String(arg)))) {
      names.push(what.name);
      countMessage();
    }
    return (sendCommand as (...all: unknown[]) => unknown).call(this, what, ...rest);
  } as typeof sendCommand;
  return {
    names,
    messages() {
      const counted = messages;
      messages = 0;
      return counted;
    },
    stop() {
      redis.sendCommand = sendCommand;
    },
  };
}
