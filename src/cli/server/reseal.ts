import { createLogger } from '#src/platform/logger.js';
import { StartError } from '#src/platform/start-error.js';
import { readConfig } from '#src/read-config.js';
import { openRooms } from '#src/rooms.js';
import type { Output } from '../terminal/output.js';
import { resealAll } from './reseal-all.js';

/**
 * Runs `muster reseal`: see reseal-all.ts. Run it when every process has the new master key as its first one.
 * @throws StartError if a value is sealed with a key that is not among the master keys
 */
export async function reseal(output: Output): Promise<void> {
  const rooms = await openRooms(readConfig(), {
    logger: createLogger({ level: 'warn', processName: 'reseal' }),
  });
  try {
    const { signingKeys, secondFactors, migrationHooks, passwordPeppers, connections, neededUntil } =
      await resealAll(rooms);
    output.note(
      `Sealed anew: ${signingKeys.resealed} signing keys, ${secondFactors.resealed} second factors, ` +
        `${migrationHooks.resealed} secrets of migration hooks, ${passwordPeppers.resealed} peppers, ` +
        `${connections.resealed} secrets of connections.`,
    );
    const all = [signingKeys, secondFactors, migrationHooks, passwordPeppers, connections];
    const unreadable = all.reduce((sum, one) => sum + one.unreadable, 0);
    if (unreadable > 0) {
      throw new StartError(
        `${unreadable} are sealed with a key that is not in MUSTER_MASTER_KEYS; they stay as they are.`,
      );
    }
    output.note(
      'Tokens that clients hold, and jobs, may be sealed with an earlier key until ' +
        `${neededUntil.toISOString()}; keep it in MUSTER_MASTER_KEYS until then.`,
    );
    output.result({
      signingKeys: signingKeys.resealed,
      secondFactors: secondFactors.resealed,
      migrationHooks: migrationHooks.resealed,
      passwordPeppers: passwordPeppers.resealed,
      connections: connections.resealed,
      otherKeysNeededUntil: neededUntil.toISOString(),
    });
  } finally {
    await rooms.close();
  }
}
