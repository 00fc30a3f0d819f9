import { tracingChannel } from 'node:diagnostics_channel';

/**
 * Commands that are not measured. Blocking commands wait for an event, so their time tells nothing about
 * Redis. `client` names the connection. Servers before 7.2 refuse it, which does no harm.
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
 * Measures the commands of every Redis connection of this process, which the driver publishes on a
 * diagnostics channel.
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
