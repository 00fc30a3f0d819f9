import { AppError } from '#src/platform/errors.js';
import { ProviderFailure, type ProviderProblem } from '../provider/provider-failure.js';
import { changeConnection } from '../registry/change-connection.js';
import type { Connection, SamlConnection } from '../registry/connection.js';
import type { WriteConnectionDeps } from '../registry/write-connection.js';
import { type MetadataDeps, readMetadataAt } from './saml-settings.js';

export interface RefreshDeps extends Omit<WriteConnectionDeps, 'requireUsable'>, MetadataDeps {
  /** Tells the owner of a connection that its metadata cannot be used. It never throws. */
  readonly recordRefusal: (
    connection: Connection,
    refusal: { readonly reason: ProviderProblem; readonly detail: string },
  ) => Promise<void>;
}

/** The connections that are read at once. */
const atOnce = 4;
const pageSize = 100;

/**
 * Reads the metadata of every SAML connection that names an address, for the addresses and certificates of the provider. So a provider can
 * change its key. What cannot be read changes nothing, and its owner is told. It may be repeated.
 */
export async function refreshAllMetadata(deps: RefreshDeps): Promise<void> {
  for (let after: string | undefined; ; ) {
    const page = await deps.connections.pageOfAll({ after, limit: pageSize });
    const waiting = page.filter(isRefreshed);
    const next = async () => {
      for (let connection = waiting.shift(); connection !== undefined; connection = waiting.shift())
        await refreshOne(deps, connection);
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}

function isRefreshed(connection: Connection): connection is SamlConnection {
  return (
    connection.protocol === 'saml' && connection.enabled && connection.provider.metadataUrl !== undefined
  );
}

async function refreshOne(deps: RefreshDeps, connection: SamlConnection): Promise<void> {
  try {
    await refreshMetadata(deps, connection);
  } catch (error) {
    if (error instanceof ProviderFailure)
      await deps.recordRefusal(connection, { reason: error.problem, detail: error.message });
    else if (error instanceof AppError)
      await deps.recordRefusal(connection, { reason: 'metadataInvalid', detail: error.message });
    else throw error;
  }
}

/**
 * A connection that changed while its metadata was read keeps the change until the next day.
 * @throws ProviderFailure, and AppError for metadata with values that a connection cannot have
 */
async function refreshMetadata(
  deps: RefreshDeps,
  { id, orgId, version: ifVersion, provider: { metadataUrl = '', issuer } }: SamlConnection,
): Promise<void> {
  const described = await readMetadataAt(deps, orgId, metadataUrl);
  if (described.issuer !== issuer)
    throw new ProviderFailure('metadataInvalid', 'The metadata is of another provider');
  const { signIn, signOut, certificates, unusableCertificates } = described;
  const editor = { userId: orgId, service: 'connections' };
  // An owner may have named an address for single logout that the metadata lacks.
  const provider = { signIn, ...(signOut !== undefined && { signOut }), certificates, unusableCertificates };
  // The change names no address at which the provider would be asked again.
  const unasked = { ...deps, requireUsable: async () => undefined };
  await changeConnection(unasked, { orgId, id, editor, ifVersion }, { protocol: 'saml', provider });
}
