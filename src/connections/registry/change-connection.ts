import { isDeepStrictEqual } from 'node:util';
import { keptChanges } from '#src/audit/changes.js';
import { directoryErrors, refusedValue, type Target, writeStep } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import {
  type CommonSettings,
  type Connection,
  type ConnectionSettings,
  type OidcProvider,
  subjectSpaceOf,
} from './connection.js';
import { requireConnection, requireProviderSecret } from './connection-rules.js';
import { newSecrets, secretMethod, storedSecrets } from './connection-secrets.js';
import { connectionErrors } from './errors.js';
import type { SamlProvider } from './saml-provider.js';
import {
  keepAbleOwner,
  keptConnections,
  requireOwnNames,
  type WriteConnectionDeps,
} from './write-connection.js';

/** The change of a connection. What is absent stays as it is. `protocol`: that of the connection, which never changes. */
export type ConnectionChange = Partial<CommonSettings> & {
  readonly clientSecret?: string | undefined;
  /** When the client secret ends. `null`: nobody says. Absent: as before, and nobody says of another secret. */
  readonly secretEnds?: Date | null | undefined;
} & (
    | { readonly protocol: 'oidc'; readonly provider?: OidcProviderChange | undefined }
    | { readonly protocol: 'saml'; readonly provider?: SamlProviderChange | undefined }
  );

/** `endpoints: null` returns to the discovery document. */
type OidcProviderChange = Partial<Omit<OidcProvider, 'endpoints'>> & {
  readonly endpoints?: OidcProvider['endpoints'] | null;
};

/** `null` takes away what may be absent. */
type SamlProviderChange = Partial<Omit<SamlProvider, 'metadataUrl' | 'signOut'>> & {
  readonly metadataUrl?: string | null;
  readonly signOut?: string | null;
};

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
  'mapping',
] as const satisfies (keyof ConnectionSettings)[];

/**
 * Changes a connection. If it is switched off, its sessions and waiting sign-ins end at once: nothing that began before counts,
 * also after it is switched on again. If the process ends before it has revoked every access token, the same request again ends the rest.
 * What the connection names already is checked when it is switched on alone, so that it can always be switched off.
 * @param target `ifVersion`: the version that was read. If the connection has another one by now, it stays as it is. `elseRefused`: that is an error
 * @throws AppError `connections.connectionNotFound`, `connections.issuerFixed`, `connections.providerUnusable`, `directory.valueInvalid`, `directory.valueMissing`,
 * `directory.changing`, `directory.lastAbleOwner` if no owner could sign in without it, `keys.keyPairsSaturated`
 */
export async function changeConnection(
  deps: WriteConnectionDeps,
  {
    ifVersion,
    elseRefused,
    ...target
  }: Target & { readonly ifVersion?: number; readonly elseRefused?: true },
  change: ConnectionChange,
): Promise<Connection> {
  const found = await deps.connections.find(target.orgId, target.id);
  if (found === undefined) throw new AppError(connectionErrors.connectionNotFound);
  const secret = change.clientSecret === undefined ? undefined : requireProviderSecret(change.clientSecret);
  const wanted = changedSettings(found, change, deps.config.baseUrl);
  await requireOwnNames(deps, target.orgId, wanted, isSwitchedOn(found, wanted) ? undefined : found);
  if (namesAddresses(change)) await deps.requireUsable(target.orgId, wanted);
  const made = await madeSecrets(deps, { found, wanted, secret });
  const changed = await writeStep<Connection>(deps, keptConnections(deps), {
    ...target,
    step(current) {
      if (ifVersion !== undefined && current.version !== ifVersion) {
        if (elseRefused) throw new AppError(directoryErrors.changing);
        return { next: current, happened: [] };
      }
      const settings = changedSettings(current, change, deps.config.baseUrl);
      const attributes: string[] = connectionSettingNames.filter(
        (name) => !isDeepStrictEqual(settings[name], current[name]),
      );
      if (secret !== undefined) attributes.push('clientSecret');
      const secretEnds = endsAfter(current, change);
      if (secretEnds?.getTime() !== current.secretEnds?.getTime()) attributes.push('clientSecretEnds');
      const secrets = storedSecrets(secretMethod(settings), { made, current });
      requireStoredSecret(current, settings, secrets);
      if (attributes.length === 0) return { next: current, happened: [] };
      const ends = current.enabled && !settings.enabled;
      const { sealedSecret: _secret, ownKey: _key, secretEnds: _ends, ...rest } = current;
      const next = {
        ...rest,
        ...settings,
        ...secrets,
        ...(secretEnds && { secretEnds }),
        ...(ends && { signInsSince: deps.clock.now() }),
      };
      const payload = { name: next.name, attributes, ...keptChanges(current, next, connectionSettingNames) };
      return {
        next,
        happened: [['connection.changed', payload]],
        ...(ends && { alongside: (transaction) => keepAbleOwner(deps, target, transaction) }),
      };
    },
  });
  await deps.caches.connections.invalidate(target.orgId);
  if (!changed.enabled) await deps.endSignIns({ orgId: target.orgId, connectionId: target.id });
  return changed;
}

function isSwitchedOn(before: ConnectionSettings, after: ConnectionSettings): boolean {
  return after.enabled && !before.enabled;
}

/** A connection that is switched off gets no key, which may have to wait. @throws AppError `keys.keyPairsSaturated` */
function madeSecrets(
  deps: WriteConnectionDeps,
  { found, wanted, secret }: { found: Connection; wanted: ConnectionSettings; secret: string | undefined },
) {
  if (secret === undefined && isSwitchedOn(wanted, found)) return {};
  return newSecrets(deps, { orgId: found.orgId, method: secretMethod(wanted), secret, current: found });
}

/** @throws AppError `directory.valueInvalid` if the connection is switched on, or its method changes, without the secret that the method needs */
function requireStoredSecret(
  before: ConnectionSettings,
  after: ConnectionSettings,
  { sealedSecret }: Pick<Connection, 'sealedSecret'>,
): void {
  const method = secretMethod(after);
  if (sealedSecret !== undefined || !method.startsWith('client_secret')) return;
  if (!isSwitchedOn(before, after) && method === secretMethod(before)) return;
  throw refusedValue('clientSecret', 'required', `clientSecret is required for ${method}`);
}

function endsAfter(current: Connection, { clientSecret, secretEnds }: ConnectionChange): Date | undefined {
  if (secretEnds !== undefined) return secretEnds ?? undefined;
  return clientSecret === undefined ? current.secretEnds : undefined;
}

/** Whether the change names addresses at which the provider is asked what it says of itself. */
function namesAddresses({ protocol, provider = {} }: ConnectionChange): boolean {
  const address = protocol === 'saml' ? 'metadataUrl' : 'endpoints';
  return Object.hasOwn(provider, address);
}

/** @throws AppError `connections.issuerFixed` and those of {@link requireConnection} */
function changedSettings(
  current: Connection,
  change: ConnectionChange,
  thisIssuer: string,
): ConnectionSettings {
  const { provider, clientSecret: _secret, secretEnds: _ends, protocol: _protocol, ...others } = change;
  const merged = withoutNulls({ ...current.provider, ...provider }) as Connection['provider'];
  if (subjectSpaceOf(merged) !== subjectSpaceOf(current.provider))
    throw new AppError(connectionErrors.issuerFixed);
  return requireConnection({ ...current, ...others, provider: merged } as ConnectionSettings, thisIssuer);
}

function withoutNulls(provider: object): object {
  return Object.fromEntries(Object.entries(provider).filter(([, value]) => value !== null));
}
