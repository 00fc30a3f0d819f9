import { requireGroupAuthority } from '#src/access/authority/index.js';
import {
  addGroup,
  type CheckGroupRoles,
  type CheckLostRoles,
  changeGroup,
  type Group,
} from '#src/people/groups/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { removeGroup } from '#src/removal/index.js';
import { groupPatch } from '../patch/group-patch.js';
import { parsePatch } from '../patch/parse-patch.js';
import { type NamedVersions, requireVersion } from '../protocol/entity-tag.js';
import { parseGroupResource } from '../resources/parse-group.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ScimContext, ScimDeps } from './context.js';

/** A PUT, PATCH or DELETE of a group. */
export interface GroupRequest {
  readonly id: string;
  readonly body: unknown;
  /** The versions that the client expects. Undefined if it expects none. */
  readonly expected?: NamedVersions | undefined;
  /** Writes in the last transaction of the change. */
  readonly alongside?: ((transaction: Transaction, group: Group) => Promise<void>) | undefined;
}

/** Creates a group with its members (RFC 7644 section 3.3). */
export function createGroup(
  deps: ScimDeps,
  context: ScimContext,
  { body, alongside }: Pick<GroupRequest, 'body' | 'alongside'>,
): Promise<Group> {
  const { organization, editor } = context;
  const { profile, members } = parseGroupResource(body);
  return addGroup(deps, {
    orgId: organization.id,
    profile,
    members,
    editor,
    beforeChange: authorityOverGroup(deps, context),
    alongside,
  });
}

/** Replaces a group and its members (RFC 7644 section 3.5.1). A body without members removes all of them. */
export function replaceGroup(
  deps: ScimDeps,
  context: ScimContext,
  { id, body, expected, alongside }: GroupRequest,
): Promise<void> {
  const { organization, editor } = context;
  const { profile, members } = parseGroupResource(body);
  return changeGroup(deps, {
    orgId: organization.id,
    id,
    editor,
    profile: () => profile,
    delta: { from: 'nobody', added: members, removed: new Set() },
    beforeChange: authorityOverGroup(deps, context, id),
    afterLoss: keepOwners(deps, context),
    precondition: requireVersion(expected, 'group'),
    alongside,
  });
}

/** Changes parts of a group (RFC 7644 section 3.5.2). The group is not read if only members change. */
export function patchGroup(
  deps: ScimDeps,
  context: ScimContext,
  { id, body, expected, alongside }: GroupRequest,
): Promise<void> {
  const { organization, editor } = context;
  const { profile, delta } = groupPatch(parsePatch(body, groupSchema));
  return changeGroup(deps, {
    orgId: organization.id,
    id,
    editor,
    profile,
    delta,
    beforeChange: authorityOverGroup(deps, context, id),
    afterLoss: keepOwners(deps, context),
    precondition: requireVersion(expected, 'group'),
    alongside,
  });
}

/** Deletes a group (RFC 7644 section 3.6). Its members stay. */
export function deleteGroup(
  deps: ScimDeps,
  context: ScimContext,
  {
    id,
    expected,
    alongside,
  }: Omit<GroupRequest, 'body' | 'alongside'> & {
    readonly alongside?: ((transaction: Transaction) => Promise<void>) | undefined;
  },
): Promise<void> {
  const { organization, editor } = context;
  const precondition = requireVersion(expected, 'group');
  const beforeChange = authorityOverGroup(deps, context, id);
  const afterLoss = keepOwners(deps, context);
  const { id: orgId } = organization;
  return removeGroup(deps, { orgId, id, editor, beforeChange, afterLoss, precondition, alongside });
}

/**
 * Makes the check of a group before its members change. The caller could give the roles of the group. If the group holds roles, in the
 * organization or in projects, a person must have signed in lately. Only a person whose sign-in is old costs the look-up of the roles in
 * projects.
 * @param groupId absent for a new group, which has no role in a project
 */
function authorityOverGroup(
  deps: ScimDeps,
  { organization: { id: orgId }, editor: { userId: callerId }, refuseOldSignIn }: ScimContext,
  groupId?: string,
): CheckGroupRoles {
  return async (roles) => {
    await requireGroupAuthority(deps, { callerId, orgId, roles });
    if (refuseOldSignIn === undefined) return;
    if (roles.length > 0) refuseOldSignIn();
    if (groupId === undefined) return;
    if ((await deps.groupGrants.ofHolder(orgId, groupId)).length > 0) refuseOldSignIn();
  };
}

/** Makes the check that the group was not the last one to make an owner of somebody who can sign in. */
function keepOwners(
  { ableOwners }: Pick<ScimDeps, 'ableOwners'>,
  { organization: { id: orgId }, editor }: ScimContext,
): CheckLostRoles {
  return (roles, transaction) =>
    ableOwners.keep({ roles: roles.map((role) => ({ role, orgId })), editor }, transaction);
}
