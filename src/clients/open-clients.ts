import { createFetchJson } from '#src/platform/outgoing/fetch-json.js';
import { createIssuerKeys } from './credentials/issuer-keys.js';
import { createSecretUses } from './credentials/secret-uses.js';

type OpenClientsDeps = Parameters<typeof createSecretUses>[0] & {
  /** Hosts of issuers that may have private addresses, separated by commas. */
  readonly privateIssuerHosts: string;
  /** Certificates in the PEM format that outside issuers may have, instead of those that Node.js trusts. */
  readonly outgoingCa: string | undefined;
};

/** Opens the keys of outside issuers, and the record of when secrets were used. */
export function openClients(deps: OpenClientsDeps) {
  const privateHosts = deps.privateIssuerHosts.split(/, */);
  const fetchJson = createFetchJson({ privateHosts, ca: deps.outgoingCa });
  return {
    issuerKeys: createIssuerKeys({ fetchJson, clock: deps.clock }),
    secretUses: createSecretUses(deps),
  };
}
