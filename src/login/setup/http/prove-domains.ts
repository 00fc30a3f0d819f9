import type { FastifyReply } from 'fastify';
import { changeConnection } from '#src/connections/registry/index.js';
import { nameSetupDomain, noteSetupStep, type SetupLink } from '#src/connections/setup/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import {
  beginDomainProof,
  checkDomainProof,
  isPublicMailDomain,
} from '#src/organizations/domain-proofs/index.js';
import { addDomain, requireDomainName } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../../http/errors.js';
import { setupEditor, writingConnections } from './join-provisioning.js';
import { showSetup } from './setup-page.js';
import { readSetupForm, type SetupVisit } from './setup-session.js';

type Deps = Parameters<typeof showSetup>[0] &
  Parameters<typeof readSetupForm>[0] &
  Parameters<typeof nameSetupDomain>[0] &
  Parameters<typeof writingConnections>[0] &
  Omit<Parameters<typeof changeConnection>[0], 'endSignIns' | 'requireUsable'> &
  Parameters<typeof checkDomainProof>[0];

/** Names a domain, and begins its proof: the page then has the record. The domain becomes one of the organization, and is not verified yet. */
export async function nameDomain(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const visit = await readSetupForm(deps, exchange.request, 'domain');
  const { link, organization } = visit;
  const { orgId } = link;
  return orRefused(deps, exchange, visit, async () => {
    const domainName = requireDomainName(formText(exchange.request.body, 'domain').trim());
    // It would become a domain of the organization before its proof refuses it.
    if (isPublicMailDomain(domainName)) throw new AppError(directoryErrors.domainPublic);
    await nameSetupDomain(deps, link, domainName);
    const { domains, unverifiedDomains } = organization;
    if (!domains.includes(domainName) && !unverifiedDomains.includes(domainName))
      await addDomain(deps, { orgId, domainName, editor: setupEditor(link) }, {});
    await beginDomainProof(deps, { orgId, domainName, editor: setupEditor(link) });
    return goTo(exchange.reply, pageAddress(deps, '/setup'));
  });
}

/** Looks for the record of a domain that the link named. A domain that is proved is given to the connection of the link. */
export async function proveDomain(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const visit = await readSetupForm(deps, exchange.request, 'domain');
  const { link } = visit;
  const domainName = formText(exchange.request.body, 'domain');
  if (link.domains?.includes(domainName) !== true) throw new AppError(loginErrors.setupEnded);
  return orRefused(deps, exchange, visit, async () => {
    const editor = setupEditor(link);
    const looked = await checkDomainProof(deps, { orgId: link.orgId, domainName, editor });
    if (looked !== 'proved') return showSetup(deps, exchange, visit, { looked });
    await noteSetupStep(deps, link, { step: 'domain' });
    await joinDomain(deps, link, domainName);
    return goTo(exchange.reply, pageAddress(deps, '/setup'));
  });
}

/** The domains of a link that are verified: those with which its connection begins. */
export function provedDomains(
  { domains = [] }: Pick<SetupLink, 'domains'>,
  organization: Pick<Organization, 'domains'>,
): string[] {
  return domains.filter((domain) => organization.domains.includes(domain));
}

/** Lets the people of a domain sign in by the connection of the link, if it has one. It happens once, so an owner may take the domain away. */
async function joinDomain(deps: Deps, link: SetupLink, domainName: string): Promise<void> {
  const { orgId, newConnectionId: id } = link;
  const connection = await deps.connections.find(orgId, id);
  if (connection === undefined || connection.domains.includes(domainName)) return;
  const { protocol, domains, version: ifVersion } = connection;
  const target = { orgId, id, editor: setupEditor(link), ifVersion };
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
    const { message: reason, definition } = error;
    const status = statuses.get(definition.kind) ?? 400;
    return showSetup(deps, exchange, visit, { refused: { step: 'domain', status, reason, typed } });
  }
}

/** The statuses of the page by the kinds of refusals. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid', 400],
  ['conflict', 409],
  ['rateLimited', 429],
]);
