import Type, { type TSchema } from 'typebox';
import { apiAppRecord, oidcAppRecord } from '../../format/application.record.js';
import { applicationGrantRecord } from '../../format/application-grant.record.js';
import { connectionRecord } from '../../format/connection.record.js';
import { domainRecord } from '../../format/domain.record.js';
import { groupMemberRecord, groupRecord } from '../../format/group.record.js';
import { humanUserRecord } from '../../format/human-user.record.js';
import { identityLinksRecord } from '../../format/identity-links.record.js';
import { machineUserRecord } from '../../format/machine-user.record.js';
import {
  groupGrantRecord,
  orgMemberRecord,
  projectMemberRecord,
  userGrantRecord,
} from '../../format/members.record.js';
import { orgRecord } from '../../format/org.record.js';
import { projectRecord } from '../../format/project.record.js';
import { projectRoleRecord } from '../../format/project-role.record.js';
import { userMetadataRecord } from '../../format/user-metadata.record.js';
import { webauthnCredentialsRecord } from '../../format/webauthn-credentials.record.js';
import type { ImportForm, ImportSection } from './section/section.js';
import { organizationKey } from './section/section-keys.js';

const schemas = new Map<string, TSchema>([
  ['humanUsers', humanUserRecord],
  ['machineUsers', machineUserRecord],
  ['userMetadata', userMetadataRecord],
  ['identityLinks', identityLinksRecord],
  ['webauthnCredentials', webauthnCredentialsRecord],
  ['projects', projectRecord],
  ['projectRoles', projectRoleRecord],
  ['oidcApps', oidcAppRecord],
  ['apiApps', apiAppRecord],
  ['groups', groupRecord],
  ['groupMembers', groupMemberRecord],
  ['orgMembers', orgMemberRecord],
  ['projectMembers', projectMemberRecord],
  ['userGrants', userGrantRecord],
  ['groupGrants', groupGrantRecord],
  ['applicationGrants', applicationGrantRecord],
  ['domains', domainRecord],
  ['connections', connectionRecord],
]);

const orgId = Type.String();
/** An external import only looks organizations up, so it has no use for `org`. */
const organizations: Readonly<Record<ImportForm, TSchema>> = {
  external: Type.Object({ orgId }),
  instance: Type.Object({ orgId, org: orgRecord }),
};

/** The shape of the records of a section. @throws Error for a section without one, which is a fault of the program */
export function recordSchemaOf({ key }: Pick<ImportSection, 'key'>, form: ImportForm): TSchema {
  const schema = key === organizationKey ? organizations[form] : schemas.get(key);
  if (schema === undefined) throw new Error(`The section ${key} has no shape of its records`);
  return schema;
}
