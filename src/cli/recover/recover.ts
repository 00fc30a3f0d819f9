import { createLogger } from '#src/platform/logger.js';
import { readConfig } from '#src/read-config.js';
import { openRooms } from '#src/rooms.js';
import { UsageError } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { openTerminal } from '../terminal/terminal.js';
import { recoverInstance, unchanged, type WantedRecovery } from './recover-instance.js';

interface RecoverOptions {
  readonly owner?: string | undefined;
  readonly newOwner?: string | undefined;
  readonly org?: string | undefined;
  readonly email?: string | undefined;
  readonly removeSecondFactor?: true | undefined;
}

/**
 * Runs `muster recover`: see recover-instance.ts.
 * @throws UsageError for options that do not go together, StartError away from a terminal
 */
export async function recover(options: RecoverOptions, output: Output): Promise<void> {
  const wanted = wantedBy(options);
  const terminal = openTerminal(process, unchanged);
  const config = readConfig();
  const logger = createLogger({ level: 'warn', processName: 'recover' });
  const rooms = await openRooms(config, { logger });
  try {
    await recoverInstance(rooms, wanted, { output, terminal });
  } finally {
    await rooms.close();
  }
}

function wantedBy({ owner, newOwner, org, email, removeSecondFactor }: RecoverOptions): WantedRecovery {
  if (owner !== undefined && newOwner !== undefined)
    throw new UsageError(
      'muster recover: --owner and --new-owner exclude each other. See muster recover --help.',
    );
  if (newOwner === undefined && (org !== undefined || email !== undefined))
    throw new UsageError('muster recover: --org and --email are for --new-owner. See muster recover --help.');
  if (owner === undefined && removeSecondFactor)
    throw new UsageError('muster recover: --remove-second-factor is for --owner. See muster recover --help.');
  if (owner !== undefined)
    return { kind: 'owner', name: owner, removeSecondFactor: removeSecondFactor === true };
  if (newOwner === undefined) return { kind: 'list' };
  return { kind: 'newOwner', userName: newOwner, orgId: org, email };
}
