import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { createLru } from '#src/platform/lru.js';
import type { SecretUse, SecretUsesStore } from './secret-uses.store.js';

/**
 * Notes when client secrets are used. A process writes each secret at most once in five minutes, and all secrets of a second
 * together. So a use costs a request nothing, and the time that administrators see may be five minutes old.
 */
export interface SecretUses {
  /** Notes a use. It returns at once, and writes in the background. It never throws. */
  note(use: Omit<SecretUse, 'lastUsed'>): void;
  /** Writes what was noted and not written yet. */
  flush(): Promise<void>;
  /** Flushes, and stops the timer. */
  close(): Promise<void>;
}

const quietMs = 5 * 60_000;
const gatherMs = 1_000;
/** The most secrets that a process remembers. A forgotten one is written again at its next use. */
const maxRemembered = 20_000;
/** The most uses that wait to be written. Further ones are noted at the next use. */
const maxWaiting = 1_000;

export function createSecretUses({
  store,
  clock,
  logger,
}: {
  store: Pick<SecretUsesStore, 'record'>;
  clock: Clock;
  logger: Logger;
}): SecretUses {
  const written = createLru<number>({ max: maxRemembered });
  const waiting = new Map<string, SecretUse>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...waiting.values()];
    waiting.clear();
    if (uses.length === 0) return;
    try {
      await store.record(uses);
    } catch (error) {
      for (const { secretId } of uses) written.delete(secretId);
      logger.warn({ err: error }, 'the use of client secrets could not be recorded');
    }
  }

  return {
    note(use) {
      const now = clock.now();
      const last = written.get(use.secretId);
      if (last !== undefined && Math.abs(now.getTime() - last) < quietMs) return;
      if (waiting.size >= maxWaiting) return;
      written.set(use.secretId, now.getTime());
      waiting.set(use.secretId, { ...use, lastUsed: now });
      timer ??= setTimeout(() => void flush(), gatherMs);
    },
    flush,
    close: flush,
  };
}
