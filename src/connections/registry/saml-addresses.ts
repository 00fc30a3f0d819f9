import type { Connection } from './connection.js';
import { connectionAddress } from './own-address.js';

/** What this service is called at the provider of a SAML connection, and where it receives messages. */
interface OwnAddresses {
  /** Also the address of the metadata. Each connection has its own, so that an assertion for one is for no other. */
  readonly entityId: string;
  /** The assertion consumer service: where responses go. */
  readonly acsUrl: string;
  /** The single logout service: where logout messages go. */
  readonly sloUrl: string;
}

export function samlAddresses(
  config: { readonly baseUrl: string },
  connection: Pick<Connection, 'orgId' | 'id'>,
): OwnAddresses {
  const base = `${connectionAddress(config, connection)}/saml`;
  return { entityId: `${base}/metadata`, acsUrl: `${base}/acs`, sloUrl: `${base}/logout` };
}
