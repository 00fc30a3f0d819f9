import type { JsonObject } from '#src/platform/json/json-object.js';
import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import { findConnection, type NamedConnection, objectIn } from './find-connection.js';

/** What an organization, or the service itself, gives a connection. Another organization has its own. */
const ofThisPlace = [
  ...['id', 'orgId', 'version', 'created', 'lastModified', 'credentialEnds', 'domains'],
  ...['redirectUri', 'postLogoutRedirectUri', 'service'],
];
/** What the service says of a provider, and nobody sets. */
const ofThisProvider = ['hasSecret', 'publicKey', 'unusableCertificates'];

/** Runs `muster connections export`. Prints the settings as `muster connections add --file` takes them, without secrets and switched off. */
export async function exportConnection(
  named: NamedConnection,
  options: ServiceOptions,
  output: Output,
): Promise<void> {
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const connection = await findConnection(client, named);
  const body = {
    ...without(connection, ofThisPlace),
    enabled: false,
    provider: without(objectIn(connection, 'provider'), ofThisProvider),
    linking: without(objectIn(connection, 'linking'), ['provisionedBy']),
    mapping: { ...objectIn(connection, 'mapping'), groups: [] },
  };
  output.print(JSON.stringify(body, undefined, 2));
  output.note('Not in it: the secret, the domains, the service user that provisions, and the groups.');
  output.result(body);
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
