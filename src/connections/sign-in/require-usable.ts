import type { IssuerKeys } from '#src/clients/credentials/index.js';
import { AppError } from '#src/platform/errors.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';
import { ProviderFailure, type ProviderFetches, type Providers, requireGithub } from '../provider/index.js';
import type { ConnectionSettings } from '../registry/connection.js';
import { unusableProvider } from '../registry/errors.js';
import type { SamlProvider } from '../registry/saml-provider.js';
import { type MetadataDeps, readMetadataAt } from '../saml/saml-settings.js';

interface UsableDeps extends MetadataDeps {
  readonly providers: Providers;
  readonly providerFetch: ProviderFetches;
  readonly providerKeys: IssuerKeys;
}

/**
 * Checks that a provider can be reached, says of itself what the settings say, and publishes a key that is usable here. Nobody signs in. A
 * provider of SAML whose metadata has no address is not asked.
 * @throws AppError `connections.providerUnusable` with the reason
 */
export async function requireUsable(
  deps: UsableDeps,
  orgId: string,
  settings: ConnectionSettings,
): Promise<void> {
  try {
    if (settings.protocol === 'saml') return await requireSaml(deps, orgId, settings.provider);
    const { api, issuer } = settings.provider;
    if (api === 'github') return await requireGithub(deps.providerFetch(orgId), issuer);
    const { jwks_uri: keysAddress } = await deps.providers.read(orgId, settings.provider);
    await deps.providerKeys.requireUsable(orgId, keysAddress).catch((error: unknown) => {
      throw error instanceof AppError ? keysFailure(error) : error;
    });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw unusableProvider(error);
  }
}

/** Why the keys of a provider cannot be used: they cannot be read, or none of them is usable, or too many are read at once. */
function keysFailure({ cause, message }: AppError): ProviderFailure {
  if (cause instanceof OutgoingError)
    return new ProviderFailure('unreachable', cause.message, cause.problem, { member: 'jwks_uri' });
  return new ProviderFailure('metadataInvalid', message, cause === undefined ? 'busy' : 'keysMissing');
}

async function requireSaml(
  deps: MetadataDeps,
  orgId: string,
  { metadataUrl, issuer }: SamlProvider,
): Promise<void> {
  if (metadataUrl === undefined) return;
  const described = await readMetadataAt(deps, orgId, metadataUrl);
  if (described.issuer !== issuer)
    throw new ProviderFailure('metadataInvalid', 'The metadata is of another provider', 'providerDiffers');
}
