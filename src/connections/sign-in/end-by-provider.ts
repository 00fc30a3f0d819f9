import type { Clock } from '#src/platform/clock.js';
import { identityHolder, type LinkDeps } from '../identities/link-identity.js';
import { checkLogoutToken, ProviderFailure, type Providers, type RedeemDeps } from '../provider/index.js';
import type { OidcConnection } from '../registry/connection.js';
import type { ProviderSessionsStore } from './provider-sessions.store.js';

export interface EndByProviderDeps extends Pick<RedeemDeps, 'providerKeys'> {
  readonly providers: Providers;
  readonly providerSessions: Pick<ProviderSessionsStore, 'find' | 'forgetLogoutToken' | 'useLogoutToken'>;
  readonly identityLinks: LinkDeps['identityLinks'];
  readonly clock: Clock;
  /** Ends what a person began by a connection, or in one session at its provider. @returns how many sessions */
  readonly endSignInsOf: (of: {
    userId: string;
    connectionId: string;
    sid?: string | undefined;
  }) => Promise<number>;
}

/**
 * Ends the sessions that a logout token of the provider names (OpenID Connect Back-Channel Logout section 2.7). A person whom nobody knows here has
 * none. The same token a second time is refused.
 * @throws ProviderFailure
 */
export async function endByProvider(
  deps: EndByProviderDeps,
  { connection, token }: { connection: OidcConnection; token: string },
): Promise<void> {
  const { orgId, id: connectionId } = connection;
  if (connection.provider.api !== undefined)
    throw new ProviderFailure('tokenInvalid', 'The provider sends no logout tokens');
  const metadata = await deps.providers.read(orgId, connection.provider);
  const { subject, sid, jti, expires } = await checkLogoutToken(deps, { connection, metadata, token });
  if (!(await deps.providerSessions.useLogoutToken({ connectionId, jti, expires })))
    throw new ProviderFailure('tokenInvalid', 'The logout token was used before');
  try {
    const userId =
      subject === undefined
        ? await deps.providerSessions.find({ connectionId, sid: sid ?? '' })
        : await identityHolder(deps, { orgId, connectionId, subject });
    if (userId !== undefined) await deps.endSignInsOf({ userId, connectionId, sid });
  } catch (error) {
    await deps.providerSessions.forgetLogoutToken({ connectionId, jti });
    throw error;
  }
}
