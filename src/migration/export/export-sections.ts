import type { Assignment, AssignmentsStore } from '#src/access/projects/index.js';
import type { ConnectionSettings, SamlProvider } from '#src/connections/registry/index.js';
import type { Membership, Organization } from '#src/directory/index.js';
import { domainsOf } from '#src/organizations/index.js';
import type { ApplicationGrantRecord } from '../format/application-grant.record.js';
import type { ConnectionRecord } from '../format/connection.record.js';
import { exportedDates } from '../format/dates.record.js';
import type { DomainRecord } from '../format/domain.record.js';
import type { GroupMemberRecord, GroupRecord } from '../format/group.record.js';
import type { IdentityLinksRecord } from '../format/identity-links.record.js';
import type {
  GroupGrantRecord,
  OrgMemberRecord,
  ProjectMemberRecord,
  UserGrantRecord,
} from '../format/members.record.js';
import type { ProjectRecord } from '../format/project.record.js';
import type { ProjectRoleRecord } from '../format/project-role.record.js';
import type { UserMetadataRecord } from '../format/user-metadata.record.js';
import type { WebauthnCredentialsRecord } from '../format/webauthn-credentials.record.js';
import { exportApiApp, exportMachineUser, exportOidcApp } from './export-clients.js';
import { exportHumanUser } from './export-human-user.js';
import type { ExportNeeds } from './export-needs.js';
import type { ExportRequest } from './export-request.js';
import { countOfClient, type ExportedOrganizations, grantPages, type LeftOut } from './left-out.js';
import { pagesOf } from './pages.js';

export type ExportSectionsDeps = Pick<
  ExportNeeds,
  | 'accounts'
  | 'applicationGrants'
  | 'applications'
  | 'connections'
  | 'groupGrants'
  | 'groupMembers'
  | 'groups'
  | 'identityLinks'
  | 'logger'
  | 'memberships'
  | 'projectMembers'
  | 'projectRoles'
  | 'projects'
  | 'serviceUsers'
  | 'totpSealer'
  | 'userGrants'
  | 'userMetadata'
  | 'users'
  | 'webauthnCredentials'
>;

/** What of the organizations is exported. */
type ExportWishes = Pick<ExportRequest, 'withPasswords' | 'withOtp'> &
  ExportedOrganizations & {
    /** Counts what the lists leave out. */
    readonly leftOut?: LeftOut;
  };

/** The records of one list of an organization in pages, in a stable order. */
type ExportSection = (
  deps: ExportSectionsDeps,
  organization: Organization,
  wanted: ExportWishes,
) => AsyncIterable<readonly object[]> | Iterable<readonly object[]>;

/** The page size of a list that may be long, and of a list that is short. */
const many = 1_000;
const few = 100;

/** Every list of an organization that an export can have, in the order of the file. {@link listsOf} says which one has. */
export const exportSections = {
  domains: (_deps, organization): DomainRecord[][] => [domainsOf(organization)],
  projects: projectPages,
  projectRoles: projectRolePages,
  oidcApps: (deps, { id }, wanted) =>
    applicationPages(deps, id, (app) => {
      // Of APIs too, which this list skips.
      countOfClient(app, wanted);
      return exportOidcApp(app, wanted);
    }),
  apiApps: (deps, { id }, wanted) => applicationPages(deps, id, (app) => exportApiApp(app, wanted)),
  humanUsers: humanUserPages,
  groups: groupPages,
  groupMembers: groupMemberPages,
  machineUsers: machineUserPages,
  userGrants: (deps, { id }) =>
    assignmentPages(deps, id, {
      of: deps.userGrants,
      toRecord: ({ holderId, projectId, roles }): UserGrantRecord => ({
        userId: holderId,
        projectId,
        roleKeys: [...roles],
      }),
    }),
  groupGrants: (deps, { id }) =>
    assignmentPages(deps, id, {
      of: deps.groupGrants,
      toRecord: ({ holderId, projectId, roles }): GroupGrantRecord => ({
        groupId: holderId,
        projectId,
        roleKeys: [...roles],
      }),
    }),
  orgMembers: orgMemberPages,
  projectMembers: (deps, { id }) =>
    assignmentPages(deps, id, {
      of: deps.projectMembers,
      toRecord: ({ holderId, projectId, roles }): ProjectMemberRecord => ({
        projectId,
        userId: holderId,
        roles: [...roles],
      }),
    }),
  applicationGrants: applicationGrantPages,
  userMetadata: userMetadataPages,
  identityLinks: identityLinkPages,
  webauthnCredentials: webauthnCredentialPages,
  connections: connectionPages,
} as const satisfies Record<string, ExportSection>;

export type ExportSectionKey = keyof typeof exportSections;

const ofPasskeys: readonly ExportSectionKey[] = ['webauthnCredentials'];
const ofOrganizations = (Object.keys(exportSections) as ExportSectionKey[]).filter(
  (key) => !ofPasskeys.includes(key),
);

/** The lists of an export: passkeys are in a file of their own. */
export function listsOf({ contents }: Pick<ExportRequest, 'contents'>): readonly ExportSectionKey[] {
  return contents === 'passkeys' ? ofPasskeys : ofOrganizations;
}

const byId = ({ id }: { readonly id: string }) => id;
const from = (after: string | undefined) => after !== undefined && { after };

async function* projectPages({ projects }: ExportSectionsDeps, { id: orgId }: Organization) {
  const read = (after: string | undefined) => projects.page(orgId, { ...from(after), limit: few });
  for await (const page of pagesOf({ limit: few, read, positionOf: byId })) {
    yield page.map(
      ({ id, name, audienceOrgIds }): ProjectRecord => ({
        projectId: id,
        project: { name, ...(audienceOrgIds.length > 0 && { audienceOrgIds: [...audienceOrgIds] }) },
      }),
    );
  }
}

async function* projectIds({ projects }: ExportSectionsDeps, orgId: string): AsyncGenerator<string> {
  const read = (after: string | undefined) => projects.page(orgId, { ...from(after), limit: few });
  for await (const page of pagesOf({ limit: few, read, positionOf: byId })) yield* page.map(byId);
}

async function* projectRolePages(deps: ExportSectionsDeps, { id: orgId }: Organization) {
  for await (const projectId of projectIds(deps, orgId)) {
    const read = (after: string | undefined) =>
      deps.projectRoles.page(orgId, { projectId, ...from(after), limit: few });
    for await (const page of pagesOf({ limit: few, read, positionOf: ({ key }) => key })) {
      yield page.map(
        ({ key, displayName, group }): ProjectRoleRecord => ({
          projectId,
          roleKey: key,
          displayName,
          ...(group !== undefined && { group }),
        }),
      );
    }
  }
}

async function* applicationPages<T extends object>(
  { applications }: ExportSectionsDeps,
  orgId: string,
  toRecord: (application: Awaited<ReturnType<typeof applications.page>>[number]) => T | undefined,
) {
  const read = (after: string | undefined) => applications.page(orgId, { ...from(after), limit: few });
  for await (const page of pagesOf({ limit: few, read, positionOf: byId })) {
    yield page.flatMap((application) => toRecord(application) ?? []);
  }
}

async function* humanUserPages(
  { accounts, totpSealer, logger }: ExportSectionsDeps,
  { id: orgId, extensionSchemas }: Organization,
  { withPasswords, withOtp, leftOut }: Pick<ExportWishes, 'withPasswords' | 'withOtp' | 'leftOut'>,
) {
  for await (const page of accounts.all(orgId, { withPasswords, withTotp: withOtp })) {
    yield page.map((account) => {
      const { record, otpUnreadable } = exportHumanUser(totpSealer, account, extensionSchemas);
      if (otpUnreadable) {
        if (leftOut !== undefined) leftOut.secondFactors += 1;
        logger.warn({ userId: account.user.id }, 'second factor is not exported: its key is gone');
      }
      return record;
    });
  }
}

/** Pages of groups in the order of their identifiers. */
function storedGroups({ groups }: ExportSectionsDeps, orgId: string) {
  const sort = { field: '_id', direction: 1 } as const;
  const read = async (id: string | undefined) => {
    const after = id !== undefined && { after: { value: id, id } };
    return (await groups.page(orgId, { sort, skip: 0, limit: few, ...after })).groups;
  };
  return pagesOf({ limit: few, read, positionOf: byId });
}

async function* groupPages(deps: ExportSectionsDeps, { id: orgId }: Organization) {
  for await (const page of storedGroups(deps, orgId)) {
    yield page.map(
      ({ id, displayName, externalId, roles, ...dates }): GroupRecord => ({
        groupId: id,
        group: {
          displayName,
          ...exportedDates(dates),
          ...(externalId !== undefined && { externalId }),
          ...(roles !== undefined && { roles: [...roles] }),
        },
      }),
    );
  }
}

async function* groupMemberPages(deps: ExportSectionsDeps, { id: orgId }: Organization) {
  for await (const groups of storedGroups(deps, orgId)) {
    for (const { id: groupId } of groups) {
      const read = (after: string | undefined) =>
        deps.groupMembers.page(orgId, groupId, { ...from(after), limit: many });
      for await (const page of pagesOf({ limit: many, read, positionOf: (userId) => userId })) {
        const existing = await deps.users.existing(orgId, page);
        const members = page.filter((userId) => existing.has(userId));
        if (members.length > 0) yield members.map((userId): GroupMemberRecord => ({ groupId, userId }));
      }
    }
  }
}

async function* machineUserPages(
  { serviceUsers }: ExportSectionsDeps,
  { id: orgId }: Organization,
  wanted: Pick<ExportWishes, 'withPasswords' | 'leftOut'>,
) {
  const read = (after: string | undefined) => serviceUsers.page(orgId, { ...from(after), limit: few });
  for await (const page of pagesOf({ limit: few, read, positionOf: byId })) {
    for (const user of page) countOfClient(user, wanted);
    yield page.map((user) => exportMachineUser(user, wanted));
  }
}

async function* assignmentPages(
  deps: ExportSectionsDeps,
  orgId: string,
  { of, toRecord }: { of: AssignmentsStore; toRecord: (assignment: Assignment) => object },
) {
  for await (const projectId of projectIds(deps, orgId)) {
    const read = (after: string | undefined) => of.page(orgId, { projectId, ...from(after), limit: many });
    for await (const page of pagesOf({ limit: many, read, positionOf: ({ holderId }) => holderId })) {
      yield page.map(toRecord);
    }
  }
}

async function* applicationGrantPages(
  deps: ExportSectionsDeps,
  { id: orgId }: Organization,
  { leftOut, ...request }: ExportWishes,
) {
  for await (const { exported, others } of grantPages(deps, { orgId, request })) {
    if (leftOut !== undefined) leftOut.applicationGrants += others.length;
    yield exported.map(({ clientId }): ApplicationGrantRecord => ({ clientId }));
  }
}

/** The roles of one user are one record. The last record of a page waits for the next page, which may continue it. */
async function* orgMemberPages({ memberships }: ExportSectionsDeps, { id: orgId }: Organization) {
  const read = (after: Membership | undefined) =>
    memberships.pageByUser(orgId, { ...(after !== undefined && { after }), limit: many });
  let last: OrgMemberRecord | undefined;
  for await (const page of pagesOf({ limit: many, read, positionOf: (membership) => membership })) {
    const members: OrgMemberRecord[] = last === undefined ? [] : [last];
    for (const { userId, role } of page) {
      const member = members.at(-1);
      if (member?.userId === userId) member.roles.push(role);
      else members.push({ userId, roles: [role] });
    }
    last = members.pop();
    yield members;
  }
  if (last !== undefined) yield [last];
}

async function* userMetadataPages({ userMetadata }: ExportSectionsDeps, { id: orgId }: Organization) {
  const read = (after: string | undefined) => userMetadata.pageOfAll(orgId, { ...from(after), limit: few });
  const positionOf = ({ userId, key }: { userId: string; key: string }) => `${userId} ${key}`;
  for await (const page of pagesOf({ limit: few, read, positionOf })) {
    yield page.map(({ userId, key, value }): UserMetadataRecord => ({ userId, key, value }));
  }
}

/** An organization has few. No secret and no key leaves. */
async function* connectionPages(
  { connections }: ExportSectionsDeps,
  { id: orgId }: Organization,
  { leftOut }: ExportWishes,
) {
  const found = await connections.ofOrganization(orgId);
  if (leftOut !== undefined)
    leftOut.connectionSecrets += found.filter(({ sealedSecret, ownKey }) => sealedSecret ?? ownKey).length;
  yield found.map((connection): ConnectionRecord => {
    const { name, enabled, domains, linking, creation, strength, claims, mapping } = connection;
    const common = { name, enabled, domains, linking, creation, strength, claims, mapping };
    const settings: ConnectionSettings =
      connection.protocol === 'saml'
        ? { ...common, protocol: 'saml', provider: withoutCount(connection.provider) }
        : { ...common, protocol: 'oidc', provider: connection.provider };
    return { connectionId: connection.id, connection: settings };
  });
}

/** What the metadata had beside is read anew. */
function withoutCount({ unusableCertificates: _count, ...provider }: SamlProvider): SamlProvider {
  return provider;
}

async function* identityLinkPages({ identityLinks }: ExportSectionsDeps, { id: orgId }: Organization) {
  const read = (after: string | undefined) => identityLinks.pageOfAll(orgId, { ...from(after), limit: few });
  for await (const page of pagesOf({ limit: few, read, positionOf: ({ userId }) => userId })) {
    yield page.map(({ userId, items }): IdentityLinksRecord => ({ userId, links: Object.values(items) }));
  }
}

async function* webauthnCredentialPages(
  { webauthnCredentials }: ExportSectionsDeps,
  { id: orgId }: Organization,
) {
  const read = (after: string | undefined) =>
    webauthnCredentials.pageOfAll(orgId, { ...from(after), limit: few });
  for await (const page of pagesOf({ limit: few, read, positionOf: ({ userId }) => userId })) {
    yield page.map(({ userId, items }): WebauthnCredentialsRecord => {
      const credentials = Object.values(items).map(
        ({
          madeHere: _madeHere,
          beganSignIn: _beganSignIn,
          transports,
          created,
          lastUsed,
          ...credential
        }) => ({
          ...credential,
          ...(transports !== undefined && { transports: [...transports] }),
          ...(created !== undefined && { created: created.toISOString() }),
          ...(lastUsed !== undefined && { lastUsed: lastUsed.toISOString() }),
        }),
      );
      return { userId, credentials };
    });
  }
}
