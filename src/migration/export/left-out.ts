import type { Application } from '#src/clients/applications/index.js';
import type { ApplicationGrant } from '#src/clients/grants/index.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import type { Organization } from '#src/directory/index.js';
import type { ExportNeeds } from './export-needs.js';
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
  /** They leave by a file of their own. */
  'webauthnCredentials',
  /** Grants of applications whose organization is not exported. */
  'applicationGrants',
  /** Approvals of applications for every organization, and rights to administer, by an owner of the instance. */
  'applicationApprovals',
  'migrationHooks',
  'passwordPeppers',
  /** Secrets and keys of connections: each provider knows them. */
  'connectionSecrets',
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

/**
 * Counts what no list of the file holds of an organization: tokens, consents, its hook, its pepper, its quotas. Each list counts its own omissions.
 * @param leftOut is updated
 */
export async function countLeftOut(
  {
    personalAccessTokens,
    consents,
    webauthnCredentials,
  }: Pick<ExportNeeds, 'consents' | 'personalAccessTokens' | 'webauthnCredentials'>,
  { id: orgId, migrationHook, passwordPepper, quotas = {} }: Organization,
  leftOut: LeftOut,
): Promise<void> {
  leftOut.personalAccessTokens += await personalAccessTokens.count(orgId);
  leftOut.consents += await consents.count(orgId);
  leftOut.webauthnCredentials += await webauthnCredentials.countItems(orgId);
  if (migrationHook) leftOut.migrationHooks += 1;
  if (passwordPepper) leftOut.passwordPeppers += 1;
  if (Object.keys(quotas).length > 0) leftOut.quotas += 1;
}

/** Counts what the record of a client leaves out. An application may have rights that an owner of the instance gave. */
export function countOfClient(
  {
    secrets,
    approved = false,
    administers = false,
  }: Pick<ServiceUser, 'secrets'> & Pick<Application, 'approved' | 'administers'>,
  { withPasswords, leftOut }: { withPasswords: boolean; leftOut?: LeftOut | undefined },
): void {
  if (leftOut === undefined) return;
  leftOut.applicationApprovals += Number(approved) + Number(administers);
  if (!withPasswords) leftOut.clientSecrets += secrets.length;
}

type GrantPagesDeps = Pick<ExportNeeds, 'applicationGrants' | 'applications'>;

/** The organizations of an export. */
export type ExportedOrganizations = Pick<ExportRequest, 'orgIds' | 'excludedOrgIds'>;

const atOnce = 100;

/**
 * The grants of an organization in pages: those whose application is in the export too, and the others. A grant of an application that is
 * gone is in neither list.
 */
export async function* grantPages(
  { applicationGrants, applications }: GrantPagesDeps,
  { orgId, request }: { orgId: string; request: ExportedOrganizations },
): AsyncGenerator<{ exported: ApplicationGrant[]; others: ApplicationGrant[] }> {
  const read = (after: string | undefined) =>
    applicationGrants.page(orgId, { ...(after !== undefined && { after }), limit: atOnce });
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
