import { isDeepStrictEqual } from 'node:util';
import { keptChanges } from '#src/audit/changes.js';
import { refusedValue, type Target, writeStep } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Connection, ConnectionSettings, OidcProvider } from './connection.js';
import { requireConnection, requireProviderSecret } from './connection-rules.js';
import { storedSecrets } from './connection-secrets.js';
import { connectionErrors } from './errors.js';
import { keptConnections, requireOwnNames, type WriteConnectionDeps } from './write-connection.js';

/** The change of a connection. What is absent stays as it is. `endpoints: null` returns to the discovery document. */
export interface ConnectionChange extends Partial<Omit<ConnectionSettings, 'provider' | 'protocol'>> {
  readonly provider?: Partial<Omit<OidcProvider, 'endpoints'>> & {
    readonly endpoints?: OidcProvider['endpoints'] | null;
  };
  readonly clientSecret?: string;
}

/** The settings whose changes events tell. */
export const connectionSettingNames = [
  'name',
  'enabled',
  'provider',
  'domains',
  'linking',
  'creation',
  'strength',
  'claims',
] as const satisfies (keyof ConnectionSettings)[];

/**
 * Changes a connection. If it is switched off, its sessions and waiting sign-ins end at once: nothing that began before counts,
 * also after it is switched on again. If the process ends before it has revoked every access token, the same request again ends the rest.
 * @throws AppError `connections.connectionNotFound`, `connections.issuerFixed`, `connections.providerUnusable`, `directory.valueInvalid`, `directory.valueMissing`,
 * `directory.changing`, `keys.keyPairsSaturated`
 */
export async function changeConnection(
  deps: WriteConnectionDeps,
  target: Target,
  change: ConnectionChange,
): Promise<Connection> {
  const found = await deps.connections.find(target.orgId, target.id);
  if (found === undefined) throw new AppError(connectionErrors.connectionNotFound);
  const secret = change.clientSecret === undefined ? undefined : requireProviderSecret(change.clientSecret);
  const wanted = changedSettings(found, change, deps.config.baseUrl);
  await requireOwnNames(deps, target.orgId, wanted);
  if (change.provider?.endpoints !== undefined) await deps.requireUsable(target.orgId, wanted.provider);
  const method = change.provider?.authMethod ?? found.provider.authMethod;
  const secrets = await storedSecrets(deps, { orgId: target.orgId, method, secret, current: found });
  if (method.startsWith('client_secret') && secrets.sealedSecret === undefined)
    throw refusedValue('clientSecret', 'required', `clientSecret is required for ${method}`);
  const changed = await writeStep<Connection>(deps, keptConnections(deps), {
    ...target,
    step(current) {
      const settings = changedSettings(current, change, deps.config.baseUrl);
      const attributes: string[] = connectionSettingNames.filter(
        (name) => !isDeepStrictEqual(settings[name], current[name]),
      );
      if (secret !== undefined) attributes.push('clientSecret');
      if (attributes.length === 0) return { next: current, happened: [] };
      const ends = current.enabled && !settings.enabled;
      const { sealedSecret: _secret, ownKey: _key, ...kept } = current;
      const next = { ...kept, ...settings, ...secrets, ...(ends && { signInsSince: deps.clock.now() }) };
      const payload = { name: next.name, attributes, ...keptChanges(current, next, connectionSettingNames) };
      return { next, happened: [['connection.changed', payload]] };
    },
  });
  await deps.caches.connections.invalidate(target.orgId);
  if (!changed.enabled) await deps.endSignIns({ orgId: target.orgId, connectionId: target.id });
  return changed;
}

/** @throws AppError `connections.issuerFixed` and those of {@link requireConnection} */
function changedSettings(current: Connection, change: ConnectionChange, own: string): ConnectionSettings {
  const { provider: providerChange = {}, clientSecret: _secret, ...others } = change;
  const { endpoints, ...rest } = providerChange;
  if (rest.issuer !== undefined && rest.issuer !== current.provider.issuer)
    throw new AppError(connectionErrors.issuerFixed);
  const { endpoints: before, ...provider } = current.provider;
  const addresses = endpoints === null ? undefined : (endpoints ?? before);
  const merged = { ...provider, ...rest, ...(addresses && { endpoints: addresses }) };
  return requireConnection({ ...current, ...others, provider: merged }, own);
}
