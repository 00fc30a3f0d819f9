import { isIP } from 'node:net';
import type { Config } from '#src/config.js';

/** The relying party of WebAuthn Level 3 that this instance is. */
export interface RelyingParty {
  /** The RP ID: the host for which browsers keep the passkeys of this instance. */
  readonly id: string;
  /** The origin of the pages at which people use their passkeys. */
  readonly origin: string;
}

/**
 * Returns the relying party of the configuration. Without `MUSTER_RP_ID`, its RP ID is the host of the base URL.
 * @returns undefined where no browser has passkeys: at an address without a name, and at one without TLS but `localhost`
 */
export function relyingPartyOf({
  baseUrl,
  rpId,
}: Pick<Config, 'baseUrl' | 'rpId'>): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && !isLocal)) return undefined;
  return { id: rpId === '' ? hostname : rpId, origin };
}

/** Whether browsers use a passkey at this instance. Without an RP ID, nobody knows where it was made, and it counts. */
export function servesPasskey(
  { config }: { readonly config: Pick<Config, 'baseUrl' | 'rpId'> },
  { rpId }: { readonly rpId?: string },
): boolean {
  const own = relyingPartyOf(config)?.id;
  return own !== undefined && (rpId ?? own) === own;
}
