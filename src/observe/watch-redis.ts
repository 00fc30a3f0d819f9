import { tracingChannel } from 'node:diagnostics_channel';

/**
 * Commands that wait for something to happen, whose time says nothing about Redis, and `client`, by which the driver
 * names itself as it connects: servers before 7.2 refuse that, and nothing comes of it.
 */
const notWatched = new Set([
  'bzpopmin',
  'xread',
  'blmove',
  'brpoplpush',
  'subscribe',
  'unsubscribe',
  'client',
]);

interface CommandMessage {
  readonly command: string;
  error?: unknown;
}

/**
 * Times the commands of every Redis connection of this process, which the driver tells of on a diagnostics channel.
 * @returns a function that stops it
 */
export function watchRedis(
  ended: (command: string, ended: { failed: boolean; seconds: number }) => void,
): () => void {
  const channel = tracingChannel<unknown, CommandMessage>('ioredis:command');
  const started = new WeakMap<CommandMessage, number>();
  const ignore = () => undefined;
  const handlers = {
    start(message: CommandMessage) {
      if (!notWatched.has(message.command)) started.set(message, performance.now());
    },
    asyncEnd(message: CommandMessage) {
      const began = started.get(message);
      if (began === undefined) return;
      const seconds = (performance.now() - began) / 1000;
      ended(message.command, { failed: message.error !== undefined, seconds });
    },
    end: ignore,
    asyncStart: ignore,
    error: ignore,
  };
  channel.subscribe(handlers);
  return () => channel.unsubscribe(handlers);
}
