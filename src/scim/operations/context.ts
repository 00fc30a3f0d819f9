import type { Editor } from '#src/audit/event.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import type { ConnectionClient, Organization, Permission } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { ScimNeeds } from '../needs/needs.js';
import type { ResourceSchema } from '../schema/resource-schema.js';

/** The parts of the container that SCIM operations use. */
export type ScimDeps = Pick<
  ScimNeeds,
  | 'mongo'
  | 'users'
  | 'batchNewUser'
  | 'batchChangedUser'
  | 'batchRemovedUser'
  | 'oneTimeLinks'
  | 'ableOwners'
  | 'memberships'
  | 'groups'
  | 'groupMembers'
  | 'groupNames'
  | 'rememberedGroups'
  | 'organizations'
  | 'writeMembers'
  | 'seenUsers'
  | 'userGrants'
  | 'groupGrants'
  | 'projectMembers'
  | 'userMetadata'
  | 'identityLinks'
  | 'logoutHints'
  | 'providerSessions'
  | 'webauthnCredentials'
  | 'consents'
  | 'events'
  | 'eventReceivers'
  | 'passwords'
  | 'quotas'
  | 'clock'
  | 'config'
  | 'caches'
  | 'revocations'
  | 'refreshTokens'
  | 'userCounter'
>;

/** The caller and the organization of an operation. A request and a Bulk job have the same. */
export interface ScimContext {
  readonly organization: Organization;
  readonly editor: Editor;
  /**
   * Throws `tokens.signInTooOld`. Absent if the caller is a service user, or a person who had signed in lately when the request arrived.
   * An operation with a case in `fresh-acts.ts` calls it in that case.
   */
  readonly refuseOldSignIn?: (() => never) | undefined;
  readonly permissions: ReadonlySet<Permission>;
  /** Which passwords that the caller sends are dropped. */
  readonly ignoredPasswords: IgnoredPasswords;
  /** Whether errors have only what RFC 7644 section 3.12 names. */
  readonly plainErrors: boolean;
  /** The User schema of the organization. */
  readonly userSchema: ResourceSchema;
  /** The caller, if it has externalIds of its own. Absent for all callers that share them. */
  readonly connectionClient?: ConnectionClient | undefined;
  /** `{base_url}/scim/v2/{orgId}`. */
  readonly baseUrl: string;
}

/** Those of new users, all, or none. */
type IgnoredPasswords = 'onCreate' | 'always' | 'never';

/** Which passwords of a service user are dropped. */
export function ignoredPasswordsOf({
  ignorePasswords = false,
  ignorePasswordOnCreate,
}: Pick<ServiceUser, 'ignorePasswords' | 'ignorePasswordOnCreate'>): IgnoredPasswords {
  if (ignorePasswords) return 'always';
  return ignorePasswordOnCreate ? 'onCreate' : 'never';
}

/**
 * Returns the caller as a client with externalIds of its own (RFC 7643 section 3.1): a service user that a connection of its organization
 * names. Undefined for every other caller. Only a service user of the organization costs the look-up in memory.
 */
export async function connectionClientOf(
  { connections }: Pick<ScimNeeds['caches'], 'connections'>,
  serviceUser: Pick<ServiceUser, 'id' | 'orgId'> | undefined,
  orgId: string,
): Promise<ConnectionClient | undefined> {
  if (serviceUser?.orgId !== orgId) return undefined;
  const { id } = serviceUser;
  const found = await connections.get(orgId);
  if (!found.some(({ linking }) => linking.provisionedBy === id)) return undefined;
  return { id, all: new Set(found.flatMap(({ linking }) => linking.provisionedBy ?? [])) };
}

/** Whether the organization, or the service user, wants errors that have only what RFC 7644 section 3.12 names. */
export function wantsPlainErrors(
  organization: Pick<Organization, 'plainScimErrors'> | undefined,
  serviceUser: Pick<ServiceUser, 'plainScimErrors'> | undefined,
): boolean {
  return organization?.plainScimErrors === true || serviceUser?.plainScimErrors === true;
}

/** @throws AppError `tokens.permissionMissing` */
export function requirePermission(context: ScimContext, permission: Permission): void {
  if (!context.permissions.has(permission)) throw new AppError(tokenErrors.permissionMissing);
}
