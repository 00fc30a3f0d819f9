import type { IssuerKeys } from '#src/clients/credentials/index.js';
import { AppError } from '#src/platform/errors.js';
import type { OidcProvider } from '../registry/connection.js';
import { connectionErrors } from '../registry/errors.js';
import { ProviderFailure } from './provider-failure.js';
import type { Providers } from './providers.js';

/**
 * Checks that a provider can be reached, says of itself what the settings say, and publishes a key that is usable here. Nobody signs in.
 * @throws AppError `connections.providerUnusable` with the reason
 */
export async function requireUsableProvider(
  { providers, providerKeys }: { readonly providers: Providers; readonly providerKeys: IssuerKeys },
  orgId: string,
  provider: OidcProvider,
): Promise<void> {
  try {
    const metadata = await providers.read(orgId, provider);
    await providerKeys.requireUsable(orgId, metadata.jwks_uri);
  } catch (error) {
    if (!(error instanceof ProviderFailure || error instanceof AppError)) throw error;
    throw new AppError(connectionErrors.providerUnusable, { detail: error.message });
  }
}
