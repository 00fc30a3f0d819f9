import { inSpan, type Tracing } from '../tracing.js';
import type { RedisConnection } from './redis.js';

/**
 * The connection, with a span for each command: its name, without keys and values. Each command of a gathered
 * message has its own span. A transaction, which is built step by step before it is sent, has none.
 */
export function traceRedis<T extends RedisConnection>(redis: T, tracing: Tracing): T {
  const commands = new Set(redis.getBuiltinCommands());
  commands.delete('multi');
  return new Proxy(redis, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (typeof property !== 'string' || !commands.has(property)) return value.bind(target);
      return (...args: unknown[]) => {
        const call = () => Promise.resolve(Reflect.apply(value, target, args));
        if (tracing.current() === undefined) return call();
        const attributes = { 'db.system.name': 'redis', 'db.operation.name': property };
        return inSpan(tracing, { name: property, kind: 'client', attributes }, call);
      };
    },
  });
}
