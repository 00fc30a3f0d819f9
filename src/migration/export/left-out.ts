import type { Container } from '#src/container.js';
import type { ApplicationGrant } from '#src/directory/application-grants/application-grant.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import type { ExportRequest } from './export-request.js';
import { pagesOf } from './pages.js';

/** What no file has, although an organization has it. Each kind is named in docs/guides/migrate.md. */
const leftOutKinds = [
  /** Hashes of client secrets, if the export is without passwords. */
  'clientSecrets',
  /** Secrets of second factors that were sealed with a key that is gone. */
  'secondFactors',
  'personalAccessTokens',
  'consents',
  /** Grants of applications whose organization is not exported. */
  'applicationGrants',
  /** Approvals of applications for every organization, and rights to administer, by an owner of the instance. */
  'applicationApprovals',
  'migrationHooks',
  /** Organizations with quotas of their own. */
  'quotas',
] as const;

/** The number of each kind that an export leaves out. */
export type LeftOut = Record<(typeof leftOutKinds)[number], number>;

export function nothingLeftOut(): LeftOut {
  return Object.fromEntries(leftOutKinds.map((kind) => [kind, 0])) as LeftOut;
}

/** Those of the kinds that were left out. Undefined if nothing was. */
export function toldLeftOut(leftOut: LeftOut): Partial<LeftOut> | undefined {
  const told = leftOutKinds.filter((kind) => leftOut[kind] > 0);
  return told.length === 0 ? undefined : Object.fromEntries(told.map((kind) => [kind, leftOut[kind]]));
}

/** The same as a dictionary of RFC 9651 section 3.2, such as `personal-access-tokens=2, consents=5`. */
export function leftOutHeader(told: Partial<LeftOut>): string {
  return Object.entries(told)
    .map(([kind, count]) => `${kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}=${count}`)
    .join(', ');
}

export type GrantPagesDeps = Pick<Container, 'applicationGrants' | 'applications'>;

export type CountLeftOutDeps = GrantPagesDeps &
  Pick<Container, 'consents' | 'personalAccessTokens' | 'serviceUsers'>;

/** The organizations of an export. */
export type ExportedOrganizations = Pick<ExportRequest, 'orgIds' | 'excludedOrgIds'>;

const atOnce = 100;
const byId = ({ id }: { readonly id: string }) => id;
const from = (after: string | undefined) => after !== undefined && { after };

/**
 * Counts what the file does not have of an organization. Second factors are counted where people are written.
 * @param leftOut is updated
 */
export async function countLeftOut(
  deps: CountLeftOutDeps,
  { id: orgId, migrationHook, quotas = {} }: Organization,
  {
    request,
    leftOut,
  }: { request: ExportedOrganizations & Pick<ExportRequest, 'withPasswords'>; leftOut: LeftOut },
): Promise<void> {
  const { applications, serviceUsers, personalAccessTokens, consents } = deps;
  leftOut.personalAccessTokens += await personalAccessTokens.count(orgId);
  leftOut.consents += await consents.count(orgId);
  if (migrationHook) leftOut.migrationHooks += 1;
  if (Object.keys(quotas).length > 0) leftOut.quotas += 1;
  const readApplications = (after: string | undefined) =>
    applications.page(orgId, { ...from(after), limit: atOnce });
  for await (const page of pagesOf({ limit: atOnce, read: readApplications, positionOf: byId })) {
    for (const { approved, administers, secrets } of page) {
      leftOut.applicationApprovals += Number(approved === true) + Number(administers === true);
      if (!request.withPasswords) leftOut.clientSecrets += secrets.length;
    }
  }
  if (!request.withPasswords) {
    const readUsers = (after: string | undefined) =>
      serviceUsers.page(orgId, { ...from(after), limit: atOnce });
    for await (const page of pagesOf({ limit: atOnce, read: readUsers, positionOf: byId })) {
      for (const { secrets } of page) leftOut.clientSecrets += secrets.length;
    }
  }
  for await (const { others } of grantPages(deps, { orgId, request }))
    leftOut.applicationGrants += others.length;
}

/**
 * The grants of an organization in pages: those whose application is in the export too, and the others. A grant of an application that is
 * gone is in neither list.
 */
export async function* grantPages(
  { applicationGrants, applications }: GrantPagesDeps,
  { orgId, request }: { orgId: string; request: ExportedOrganizations },
): AsyncGenerator<{ exported: ApplicationGrant[]; others: ApplicationGrant[] }> {
  const read = (after: string | undefined) =>
    applicationGrants.page(orgId, { ...from(after), limit: atOnce });
  const positionOf = ({ clientId }: ApplicationGrant) => clientId;
  const [wanted, excluded] = [new Set(request.orgIds), new Set(request.excludedOrgIds)];
  const isExported = (id: string) => (wanted.size === 0 || wanted.has(id)) && !excluded.has(id);
  for await (const page of pagesOf({ limit: atOnce, read, positionOf })) {
    const found = await applications.findMany(page.map(({ clientId }) => clientId));
    const organizationOf = new Map(found.map((application) => [application.id, application.orgId]));
    const known = page.filter(({ clientId }) => organizationOf.has(clientId));
    const isOfExport = ({ clientId }: ApplicationGrant) => isExported(organizationOf.get(clientId) ?? '');
    yield { exported: known.filter(isOfExport), others: known.filter((grant) => !isOfExport(grant)) };
  }
}
