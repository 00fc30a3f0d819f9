import type { FastifyReply } from 'fastify';
import { connectionErrors } from '#src/connections/index.js';
import { changeConnection } from '#src/connections/registry/index.js';
import { nameSetupDomain, noteProvedDomain, type SetupLink } from '#src/connections/setup/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import {
  beginDomainProof,
  checkDomainProof,
  checkVerifiedDomain,
  isPublicMailDomain,
} from '#src/organizations/domain-proofs/index.js';
import { addDomain, requireDomainName, requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../../http/errors.js';
import { setupEditor, writingConnections } from './join-provisioning.js';
import { showSetup } from './setup-page.js';
import { readSetupForm, type SetupVisit } from './setup-session.js';
import { whyRefused } from './why-refused.js';

type Deps = Parameters<typeof showSetup>[0] &
  Parameters<typeof readSetupForm>[0] &
  Parameters<typeof nameSetupDomain>[0] &
  Parameters<typeof writingConnections>[0] &
  Omit<Parameters<typeof changeConnection>[0], 'endSignIns' | 'requireUsable'> &
  Parameters<typeof checkDomainProof>[0];

/**
 * Names a domain, and begins its proof: the page then has the record. The domain becomes one of the organization, and is not verified yet. A domain
 * that is verified already is refused, as that of another organization is: the link would get it without a proof of its own.
 */
export async function nameDomain(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const visit = await readSetupForm(deps, exchange.request, 'domain');
  const { link } = visit;
  const { orgId } = link;
  return orRefused(deps, exchange, visit, async () => {
    const domainName = requireDomainName(formText(exchange.request.body, 'domain').trim());
    // It would become a domain of the organization before its proof refuses it.
    if (isPublicMailDomain(domainName)) throw new AppError(directoryErrors.domainPublic);
    const isNamed = isIn(link.domains, domainName);
    const { domains, unverifiedDomains } = await requireOrganization(deps.organizations.find, orgId);
    const isVerified = domains.includes(domainName);
    if (isVerified && !isNamed) throw new AppError(directoryErrors.organizationExists);
    if (!isVerified) {
      const isKnown = unverifiedDomains.includes(domainName);
      // An owner has removed it.
      if (isNamed && !isKnown) throw new AppError(connectionErrors.setupDomainRemoved);
      await nameSetupDomain(deps, link, domainName);
      if (!isKnown) await addDomain(deps, { orgId, domainName, editor: setupEditor(link) }, {});
      await beginDomainProof(deps, { orgId, domainName, editor: setupEditor(link) });
    }
    return goTo(exchange.reply, pageAddress(deps, '/setup'));
  });
}

/**
 * Looks for the record of a domain that the link named. A domain that is proved is given to the connection of the link, once. If an owner had it
 * verified meanwhile, or the process ended halfway, the record proves it to the link all the same.
 */
export async function proveDomain(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const visit = await readSetupForm(deps, exchange.request, 'domain');
  const { link } = visit;
  const { orgId } = link;
  const domainName = formText(exchange.request.body, 'domain');
  if (!isIn(link.domains, domainName)) throw new AppError(loginErrors.setupEnded);
  return orRefused(deps, exchange, visit, async () => {
    const { domains } = await requireOrganization(deps.organizations.find, orgId);
    const isProved = isIn(link.provedDomains, domainName);
    if (isProved && domains.includes(domainName)) return goTo(exchange.reply, pageAddress(deps, '/setup'));
    const looked = domains.includes(domainName)
      ? await checkVerifiedDomain(deps, { orgId, domainName })
      : await checkDomainProof(deps, { orgId, domainName, editor: setupEditor(link) });
    if (looked !== 'proved') return showSetup(deps, exchange, visit, { looked });
    // Before the note, so that a request that ends here is finished by the next one.
    if (!isProved) await joinDomain(deps, link, domainName);
    await noteProvedDomain(deps, link, domainName);
    return goTo(exchange.reply, pageAddress(deps, '/setup'));
  });
}

function isIn(domains: readonly string[] | undefined, domainName: string): boolean {
  return domains?.includes(domainName) === true;
}

/** The domains that the link proved and that are verified: those with which its connection begins. */
export function provedDomains(
  { provedDomains = [] }: Pick<SetupLink, 'provedDomains'>,
  organization: Pick<Organization, 'domains'>,
): string[] {
  return provedDomains.filter((domain) => organization.domains.includes(domain));
}

/**
 * Lets the people of a domain sign in by the connection of the link, if it has one. It happens once, so an owner may take the domain away.
 * @throws AppError `directory.changing` if somebody changes the connection at the same time
 */
async function joinDomain(deps: Deps, link: SetupLink, domainName: string): Promise<void> {
  const { orgId, newConnectionId: id } = link;
  const connection = await deps.connections.find(orgId, id);
  if (connection === undefined || connection.domains.includes(domainName)) return;
  const { protocol, domains, version: ifVersion } = connection;
  const target = { orgId, id, editor: setupEditor(link), ifVersion, elseRefused: true } as const;
  await changeConnection(writingConnections(deps), target, { protocol, domains: [...domains, domainName] });
}

/** The page with the reason, if the rules of domains refuse. */
async function orRefused(
  deps: Deps,
  exchange: HttpExchange,
  visit: SetupVisit,
  run: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || !statuses.has(error.definition.kind)) throw error;
    const typed = (name: string) => formText(exchange.request.body, name);
    const status = statuses.get(error.definition.kind) ?? 400;
    const reason = whyRefused(visit, error);
    return showSetup(deps, exchange, visit, { refused: { step: 'domain', status, reason, typed } });
  }
}

/** The statuses of the page by the kinds of refusals. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid', 400],
  ['conflict', 409],
  ['rateLimited', 429],
]);
