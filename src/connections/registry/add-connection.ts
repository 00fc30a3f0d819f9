import type { Editor } from '#src/audit/event.js';
import { newEvents } from '#src/audit/new-event.js';
import { compareAndSwap, directoryErrors, refusedValue } from '#src/directory/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import { type Connection, type ConnectionSettings, mostConnections } from './connection.js';
import { requireConnection, requireProviderSecret } from './connection-rules.js';
import { newSecrets, secretMethod, storedSecrets } from './connection-secrets.js';
import { connectionErrors } from './errors.js';
import { requireOwnNames, type WriteConnectionDeps } from './write-connection.js';

/**
 * Adds a connection. What the provider says of itself is read first, so that a wrong address is noticed now.
 * @param added `clientSecret`: sealed, and never shown again. `secretEnds`: when it ends at the provider. `id`: a UUID that no connection has or had, so that the redirect URI is known before
 * @throws AppError `connections.connectionLimit`, `connections.providerUnusable`, `directory.valueInvalid`, `directory.valueMissing`, `directory.organizationNotFound`,
 * `directory.identifierTaken`, `directory.quotaExceeded`, `keys.keyPairsSaturated`
 */
export async function addConnection(
  deps: WriteConnectionDeps & { readonly quotas: Pick<Quotas, 'within'> },
  {
    orgId,
    editor,
    id,
    settings,
    clientSecret,
    secretEnds,
  }: {
    orgId: string;
    editor: Editor;
    id?: string | undefined;
    settings: ConnectionSettings;
    clientSecret?: string | undefined;
    secretEnds?: Date | undefined;
  },
): Promise<Connection> {
  const checked = requireConnection(settings, deps.config.baseUrl);
  const method = secretMethod(checked);
  const secret = clientSecret === undefined ? undefined : requireProviderSecret(clientSecret);
  if (secret === undefined && method.startsWith('client_secret'))
    throw refusedValue('clientSecret', 'required', `clientSecret is required for ${method}`);
  await requireOwnNames(deps, orgId, checked);
  await requireRoom(deps, orgId);
  if (id !== undefined) await requireFreshId(deps, id);
  await deps.requireUsable(orgId, checked);
  const made = await newSecrets(deps, { orgId, method, secret });
  const secrets = storedSecrets(method, { made });
  const write = () =>
    compareAndSwap(['organization', orgId, editor.userId], async () => {
      const now = deps.clock.now();
      const dates = { created: now, lastModified: now, signInsSince: now };
      const connection: Connection = {
        id: id ?? newId(),
        orgId,
        ...checked,
        ...secrets,
        ...(secretEnds && { secretEnds }),
        version: 1,
        ...dates,
      };
      return deps.mongo
        .transactionOf(orgId, async (transaction) => {
          await requireRoom(deps, orgId, transaction);
          await deps.connections.insert(orgId, connection, transaction);
          const happened = [['connection.added', addedPayload(connection)]] as const;
          await deps.events.append(newEvents('connection', connection, { happened, editor }), transaction);
          return connection;
        })
        .catch((error: unknown) => {
          throw isDuplicateKey(error) ? new AppError(directoryErrors.identifierTaken) : error;
        });
    });
  const added = await deps.quotas.within(orgId, { connections: 1 }, write);
  await deps.caches.connections.invalidate(orgId);
  return added;
}

/**
 * A connection that is gone gives its identifier to no other one, because links of people to it may still exist.
 * @throws AppError `directory.identifierTaken`
 */
async function requireFreshId({ events }: Pick<WriteConnectionDeps, 'events'>, id: string): Promise<void> {
  if ((await events.begunBy('connection.added', [id])).size > 0)
    throw new AppError(directoryErrors.identifierTaken);
}

/** What everybody who reads the log may know of a new connection. */
export function addedPayload({ name, protocol, provider }: Connection) {
  const clientId = 'clientId' in provider && { clientId: provider.clientId };
  return { name, protocol, issuer: provider.issuer, ...clientId };
}

/** @throws AppError `connections.connectionLimit` */
async function requireRoom(
  { connections }: Pick<WriteConnectionDeps, 'connections'>,
  ...of: Parameters<WriteConnectionDeps['connections']['count']>
): Promise<void> {
  if ((await connections.count(...of)) >= mostConnections)
    throw new AppError(connectionErrors.connectionLimit);
}
