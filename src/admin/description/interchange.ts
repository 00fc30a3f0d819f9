import Type, { type TSchema } from 'typebox';
import type { JsonSchema } from '#src/http/base/description.js';
import { apiAppRecord, oidcAppRecord } from '#src/migration/format/application.record.js';
import { applicationGrantRecord } from '#src/migration/format/application-grant.record.js';
import { connectionRecord } from '#src/migration/format/connection.record.js';
import { domainRecord } from '#src/migration/format/domain.record.js';
import { groupMemberRecord, groupRecord } from '#src/migration/format/group.record.js';
import { humanUserRecord } from '#src/migration/format/human-user.record.js';
import { identityLinksRecord } from '#src/migration/format/identity-links.record.js';
import { machineUserRecord } from '#src/migration/format/machine-user.record.js';
import {
  groupGrantRecord,
  orgMemberRecord,
  projectMemberRecord,
  userGrantRecord,
} from '#src/migration/format/members.record.js';
import { orgRecord } from '#src/migration/format/org.record.js';
import { projectRecord } from '#src/migration/format/project.record.js';
import { projectRoleRecord } from '#src/migration/format/project-role.record.js';
import { userMetadataRecord } from '#src/migration/format/user-metadata.record.js';
import { identifier } from '#src/migration/format/values.js';
import { webauthnCredentialsRecord } from '#src/migration/format/webauthn-credentials.record.js';

/** The lists of an organization, with the names of their records in the document. */
const external: readonly [key: string, title: string, record: TSchema][] = [
  ['humanUsers', 'HumanUserRecord', humanUserRecord],
  ['groups', 'GroupRecord', groupRecord],
  ['groupMembers', 'GroupMemberRecord', groupMemberRecord],
  ['userMetadata', 'UserMetadataRecord', userMetadataRecord],
  ['identityLinks', 'IdentityLinksRecord', identityLinksRecord],
  ['webauthnCredentials', 'WebauthnCredentialsRecord', webauthnCredentialsRecord],
];
const instance: typeof external = [
  ['domains', 'DomainRecord', domainRecord],
  ['projects', 'ProjectRecord', projectRecord],
  ['projectRoles', 'ProjectRoleRecord', projectRoleRecord],
  ['oidcApps', 'OidcAppRecord', oidcAppRecord],
  ['apiApps', 'ApiAppRecord', apiAppRecord],
  ...external,
  ['machineUsers', 'MachineUserRecord', machineUserRecord],
  ['orgMembers', 'OrgMemberRecord', orgMemberRecord],
  ['projectMembers', 'ProjectMemberRecord', projectMemberRecord],
  ['userGrants', 'UserGrantRecord', userGrantRecord],
  ['groupGrants', 'GroupGrantRecord', groupGrantRecord],
  ['applicationGrants', 'ApplicationGrantRecord', applicationGrantRecord],
  ['connections', 'ConnectionRecord', connectionRecord],
];

function listsOf(lists: typeof external): Record<string, JsonSchema> {
  return Object.fromEntries(
    lists.map(([key, title, record]) => [key, { type: 'array', items: { ...record, title } }]),
  );
}

function organizations(title: string, description: string, element: JsonSchema): JsonSchema {
  return {
    title,
    description,
    type: 'object',
    required: ['orgs'],
    properties: { orgs: { type: 'array', items: element } },
  };
}

/** The users and groups of another identity provider, for organizations that exist. */
export const externalData = organizations(
  'ExternalData',
  'Users and groups of another identity provider, for organizations that exist',
  {
    type: 'object',
    required: ['orgId'],
    properties: { orgId: Type.String({ description: 'An organization that exists' }), ...listsOf(external) },
  },
);

/** What an export has, and what an import takes. */
export const instanceData = organizations(
  'InstanceData',
  'Organizations of this service, as an export has them',
  {
    type: 'object',
    required: ['orgId', 'org'],
    properties: { orgId: identifier, org: { ...orgRecord, title: 'OrgRecord' }, ...listsOf(instance) },
  },
);
