import type { Clock } from '#src/platform/clock.js';
import type { GuardedFetch } from '#src/platform/outgoing/guarded-fetch.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';
import { ProviderFailure } from '../provider/provider-failure.js';
import { unusableProvider } from '../registry/errors.js';
import { longestMetadata, type SamlProvider } from '../registry/saml-provider.js';
import { isSamlAddress } from '../registry/saml-rules.js';
import type { SamlDescription } from './read-metadata.js';
import type { SamlThreads } from './saml-threads.js';

export interface MetadataDeps {
  readonly metadataFetch: GuardedFetch;
  readonly samlThreads: Pick<SamlThreads, 'run'>;
  readonly clock: Clock;
}

/** What metadata says of a provider, as settings. */
type FromMetadata = Pick<
  SamlProvider,
  'issuer' | 'signIn' | 'signOut' | 'certificates' | 'unusableCertificates' | 'signsRequests'
>;

const timeoutMs = 5_000;

/**
 * Reads what a provider says of itself: from a document that somebody uploaded, or from the address that the settings name.
 * @returns undefined if neither is given
 * @throws AppError `connections.providerUnusable` with the reason
 */
export async function describedProvider(
  deps: MetadataDeps,
  orgId: string,
  { metadata, metadataUrl }: { metadata?: string | undefined; metadataUrl?: string | undefined },
): Promise<FromMetadata | undefined> {
  if (metadata === undefined && metadataUrl === undefined) return undefined;
  try {
    const { wantsSignedRequests: signsRequests, ...described } =
      metadata === undefined
        ? await readMetadataAt(deps, orgId, metadataUrl ?? '')
        : await readMetadataText(deps, orgId, metadata);
    return { ...described, signsRequests };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw unusableProvider(error);
  }
}

/**
 * Reads the metadata at an address that an organization chose.
 * @throws ProviderFailure `unreachable`, `metadataInvalid`, `tooCostly`
 */
export async function readMetadataAt(
  deps: MetadataDeps,
  orgId: string,
  address: string,
): Promise<SamlDescription> {
  try {
    const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
    const bounds = { maxBytes: longestMetadata, timeoutMs };
    const { body } = await deps.metadataFetch(address, bounds, { headers, onlyStatus: 200 });
    return await readMetadataText(deps, orgId, body.toString());
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw new ProviderFailure('unreachable', `Reading the metadata: ${error.message}`, error.problem);
  }
}

/** A connection works without single logout, so an address for it that no connection may have counts as none. */
async function readMetadataText(
  { samlThreads, clock }: MetadataDeps,
  orgId: string,
  xml: string,
): Promise<SamlDescription> {
  const now = clock.now().getTime();
  const { signOut, ...described } = await samlThreads.run(orgId, 'readMetadata', { xml, now });
  return { ...described, ...(signOut !== undefined && isSamlAddress(signOut) && { signOut }) };
}
