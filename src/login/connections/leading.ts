import type { Connection } from '#src/connections/registry/index.js';
import { readLastConnection } from '#src/http/auth/last-connection.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { organizationStands } from '#src/organizations/index.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { servingAt } from './connection-buttons.js';

type Deps = Pick<LoginNeeds, 'caches' | 'clock' | 'config'>;

/** What follows the last `@` of a login name, if it can be a domain. Longer names lead nowhere. */
const nameInDomain = /^[^@]{1,200}@([a-z0-9.-]{3,253})$/;

/**
 * The connections to which a login name leads: those of the organization that has verified its domain, to which it gave the domain. Nobody is
 * looked up, so every name of a domain leads to the same place, whoever exists.
 */
export async function connectionsOfName(
  deps: Deps,
  { onlyOrgId, organization }: Pick<Visit, 'onlyOrgId' | 'organization'>,
  name: string,
): Promise<readonly Connection[]> {
  const domain = nameInDomain.exec(name.trim().toLowerCase())?.[1];
  if (domain === undefined) return [];
  const isOwn = organization?.domains.includes(domain) === true;
  // A domain that was verified lately leads nowhere for at most a minute.
  const orgId = isOwn ? organization.id : (onlyOrgId ?? (await deps.caches.domainOwners.get(domain)));
  const owner = orgId === '' ? undefined : await deps.caches.organizations.get(orgId);
  if (owner?.domains.includes(domain) !== true || !(await organizationStands(deps, owner.id))) return [];
  return (await servingAt(deps, owner)).filter(({ domains }) => domains.includes(domain));
}

/** Whether the connection signed in somebody at this browser last. */
export function isKnownAt(
  { config }: Pick<Deps, 'config'>,
  request: HttpExchange['request'],
  { id }: Pick<Connection, 'id'>,
): boolean {
  return readLastConnection({ config }, request) === id;
}

/**
 * Leads to the login page of an organization, if its connection did not sign in anybody at this browser last. Otherwise any page could lead a
 * browser to the provider of its own choice, which signs it in as somebody else (login CSRF, OpenID Connect Core section 4).
 * @returns undefined if the browser knows the connection
 */
export function askUnlessKnown(
  { config }: Pick<Deps, 'config'>,
  { request, reply }: HttpExchange,
  connection: Pick<Connection, 'orgId' | 'id'>,
  query: Readonly<Record<string, string>> = {},
): HttpExchange['reply'] | undefined {
  if (isKnownAt({ config }, request, connection)) return undefined;
  return goTo(reply, pageAddress({ config }, '/login', { organization: connection.orgId, ...query }));
}

/** The connections of a page, with the one that was used last at this browser first. */
export function lastUsedFirst(
  { config }: Pick<Deps, 'config'>,
  request: HttpExchange['request'],
  connections: readonly Connection[],
): readonly Connection[] {
  const last = readLastConnection({ config }, request);
  const used = connections.filter(({ id }) => id === last);
  return used.length === 0 ? connections : [...used, ...connections.filter(({ id }) => id !== last)];
}
