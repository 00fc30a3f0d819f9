import type { Config } from '#src/config.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { StartError } from '#src/platform/start-failure.js';
import { relyingPartyOf } from './relying-party.js';
import type { RelyingPartyStore } from './relying-party.store.js';

interface CheckRelyingPartyDeps {
  readonly relyingParty: RelyingPartyStore;
  readonly config: Pick<Config, 'baseUrl' | 'rpId' | 'rpIdChange'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Checks that the passkeys of the instance work under the RP ID of this configuration. A browser offers a passkey only for the RP ID with
 * which it was made, so another one would take a way of signing in from everybody. `MUSTER_RP_ID_CHANGE` permits it. People
 * whose passkeys were all of the former one then count as people without.
 * @throws StartError that names the RP IDs and the number of passkeys
 */
export async function checkRelyingParty({
  relyingParty,
  config,
  clock,
  logger,
}: CheckRelyingPartyDeps): Promise<void> {
  const from = await relyingParty.find();
  const party = relyingPartyOf(config);
  if (from === undefined || party === undefined || from === party.id) return;
  const to = party.id;
  const passkeys = await relyingParty.countPasskeys(from);
  if (passkeys > 0 && config.rpIdChange !== `${from} ${to}`) {
    throw new StartError(
      `The passkeys of this instance belong to ${from}, and MUSTER_BASE_URL or MUSTER_RP_ID means ${to}. ${passkeys} passkeys would ` +
        `no longer sign in anybody. MUSTER_RP_ID=${from} keeps them. MUSTER_RP_ID_CHANGE="${from} ${to}" gives them up.`,
    );
  }
  // First, so that a start that ends here is made up for by the next one.
  await relyingParty.markAccounts(to, clock.now());
  await relyingParty.replace({ from, to });
  logger.warn({ from, to, passkeys }, 'the RP ID was changed: passkeys of the former one sign in nobody');
}
