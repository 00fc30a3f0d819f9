import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvents } from '#src/audit/new-event.js';
import { compareAndSwap, refusedValue } from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { type OrganizationsStore, requireOrganization } from '#src/organizations/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newId, newSecret } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Connection } from '../registry/connection.js';
import type { ConnectionsStore } from '../registry/connections.store.js';
import { connectionErrors } from '../registry/errors.js';
import {
  mostSetupDomains,
  mostSetupLinks,
  type SetupLink,
  type SetupStep,
  setupLifeMs,
  setupSteps,
} from './setup-link.js';
import type { SetupLinksStore } from './setup-links.store.js';

export interface WriteSetupDeps {
  readonly mongo: Mongo;
  readonly setupLinks: SetupLinksStore;
  readonly events: Pick<EventsStore, 'append'>;
  readonly clock: Clock;
}

/**
 * Makes a set-up link of an organization. Its secret is returned this once.
 * @param added `steps`: those that the link reaches. To try or to switch on needs the step `connection`
 * @throws AppError `connections.setupLinkLimit`, `directory.valueInvalid`, `directory.organizationNotFound`
 */
export async function addSetupLink(
  deps: WriteSetupDeps & OpenLinksDeps & { readonly organizations: Pick<OrganizationsStore, 'find'> },
  { orgId, steps, editor }: { orgId: string; steps: readonly SetupStep[]; editor: Editor },
): Promise<{ link: SetupLink; secret: string }> {
  await requireOrganization(deps.organizations.find, orgId);
  if (!steps.includes('connection'))
    throw refusedValue('steps', 'required', 'steps must have connection, on which the others depend');
  const secret = newSecret();
  const created = deps.clock.now();
  const open = await openSetupLinks(deps, orgId);
  if (open.length >= mostSetupLinks) throw new AppError(connectionErrors.setupLinkLimit);
  const link: SetupLink = {
    ...{ id: newId(), orgId, hash: hashSecret(secret), created, done: {}, version: 1 },
    ...{ newConnectionId: newId(), newServiceUserId: newId() },
    steps: setupSteps.filter((step) => steps.includes(step)),
    createdBy: editor.userId,
    expires: new Date(created.getTime() + setupLifeMs),
  };
  await deps.mongo.transactionOf(orgId, async (transaction) => {
    await deps.setupLinks.insert(orgId, link, transaction);
    const happened = [['setup.link.added', { steps: link.steps }]] as const;
    await deps.events.append(eventsOf(link, { happened, editor }), transaction);
  });
  return { link, secret };
}

interface OpenLinksDeps {
  readonly setupLinks: Pick<SetupLinksStore, 'ofOrganization'>;
  readonly connections: Pick<ConnectionsStore, 'ofOrganization'>;
  readonly clock: Clock;
}

/** Returns the set-up links of an organization that have not ended, the oldest first. */
export async function openSetupLinks(
  { setupLinks, connections, clock }: OpenLinksDeps,
  orgId: string,
): Promise<SetupLink[]> {
  const [links, all] = await Promise.all([
    setupLinks.ofOrganization(orgId, clock.now()),
    connections.ofOrganization(orgId),
  ]);
  return links.filter(
    ({ connectionId }) =>
      connectionId === undefined || isLeftToLink(all.find(({ id }) => id === connectionId)),
  );
}

/** Ends a set-up link at once. @throws AppError `connections.setupLinkNotFound` */
export async function endSetupLink(
  deps: WriteSetupDeps,
  { orgId, id, editor }: { orgId: string; id: string; editor: Editor },
): Promise<void> {
  const link = await deps.setupLinks.find(orgId, id);
  if (link === undefined) throw new AppError(connectionErrors.setupLinkNotFound);
  await deps.mongo.transactionOf(orgId, async (transaction) => {
    if (!(await deps.setupLinks.remove(orgId, id, transaction)))
      throw new AppError(connectionErrors.setupLinkNotFound);
    const last = { ...link, version: link.version + 1 };
    const happened = [['setup.link.ended', {}]] as const;
    await deps.events.append(eventsOf(last, { happened, editor }, deps.clock.now()), transaction);
  });
}

/**
 * Binds a set-up link to a browser. Of several browsers one gets it, and no browser gets it later.
 * @returns the secret of the browser. Undefined for a link that was opened before, has ended or never was
 */
export async function openSetupLink(
  deps: WriteSetupDeps & ServingSetupDeps,
  secret: string,
): Promise<string | undefined> {
  const found = await deps.setupLinks.findByHash(hashSecret(secret));
  if (found === undefined || found.browserHash !== undefined) return undefined;
  if (!(await stillServes(deps, found))) return undefined;
  const browserSecret = newSecret();
  const opened = deps.clock.now();
  const link = { ...found, opened, browserHash: hashSecret(browserSecret), version: found.version + 1 };
  return deps.mongo.transactionOf(found.orgId, async (transaction) => {
    const change = { link, expectedVersion: found.version };
    if (!(await deps.setupLinks.replace(found.orgId, change, transaction))) return undefined;
    const happened = [['setup.link.opened', {}]] as const;
    const editor = { userId: link.id, service: 'setup' };
    await deps.events.append(eventsOf(link, { happened, editor }, opened), transaction);
    return browserSecret;
  });
}

export interface ServingSetupDeps {
  readonly setupLinks: Pick<SetupLinksStore, 'findByBrowser' | 'findByHash'>;
  readonly connections: Pick<ConnectionsStore, 'find'>;
  readonly clock: Clock;
  /** Whether somebody may still change the organization. */
  readonly mayChange: (userId: string, orgId: string) => Promise<boolean>;
  /** Whether the organization exists and is not being removed. */
  readonly stands: (orgId: string) => Promise<boolean>;
}

/** Returns the set-up link that this browser has opened, as long as it lasts. It ends when somebody switches off or removes its connection. */
export async function servingSetupLink(
  deps: ServingSetupDeps,
  browserSecret: string,
): Promise<SetupLink | undefined> {
  const found = await deps.setupLinks.findByBrowser(hashSecret(browserSecret));
  return found !== undefined && (await stillServes(deps, found)) ? found : undefined;
}

async function stillServes(
  { connections, clock, mayChange, stands }: ServingSetupDeps,
  { expires, orgId, createdBy, connectionId }: SetupLink,
): Promise<boolean> {
  if (clock.now() >= expires || !(await stands(orgId)) || !(await mayChange(createdBy, orgId))) return false;
  return connectionId === undefined || isLeftToLink(await connections.find(orgId, connectionId));
}

/** Whether nobody has removed the connection of a link or switched it off since it was made. A link does neither. */
export function isLeftToLink(connection: Connection | undefined): connection is Connection {
  return connection !== undefined && connection.signInsSince.getTime() === connection.created.getTime();
}

/**
 * Notes that a step of a link was done, with its event. What the step itself changed has events of its own.
 * @throws AppError `connections.setupLinkNotFound` if the link has ended meanwhile
 */
export async function noteSetupStep(
  deps: WriteSetupDeps,
  target: SetupLink,
  { step, ...made }: { step: SetupStep } & Partial<Pick<SetupLink, 'connectionId' | 'serviceUserId'>>,
): Promise<void> {
  await changeSetupLink(deps, target, ['setup.step.done', { step, ...made }], (current, now) => {
    const { test, ...others } = current.done;
    const staysTested = test !== undefined && step !== 'connection';
    return { ...made, done: { ...others, ...(staysTested && { test }), [step]: now } };
  });
}

/** Notes that a link has proved a domain that it named. @throws AppError `connections.setupLinkNotFound` */
export async function noteProvedDomain(
  deps: WriteSetupDeps,
  target: SetupLink,
  domainName: string,
): Promise<void> {
  const event = ['setup.step.done', { step: 'domain', domainName }] as const;
  await changeSetupLink(deps, target, event, ({ done, provedDomains = [] }, now) => ({
    done: { ...done, domain: now },
    provedDomains: [...new Set([...provedDomains, domainName])],
  }));
}

/**
 * Notes a domain that a link proves. A domain that it has named before changes nothing.
 * @throws AppError `connections.setupLinkNotFound`, `directory.valueInvalid` for a domain too many
 */
export async function nameSetupDomain(
  deps: WriteSetupDeps,
  target: SetupLink,
  domainName: string,
): Promise<void> {
  if (target.domains?.includes(domainName) === true) return;
  await changeSetupLink(deps, target, ['setup.domain.named', { domainName }], ({ domains = [] }) => {
    const named = [...new Set([...domains, domainName])];
    if (named.length > mostSetupDomains)
      throw refusedValue('domain', 'tooMany', `A link names at most ${mostSetupDomains} domains`, {
        most: mostSetupDomains,
      });
    return { domains: named };
  });
}

async function changeSetupLink(
  deps: WriteSetupDeps,
  { orgId, id }: SetupLink,
  event: Parameters<typeof newEvents>[2]['happened'][number],
  change: (current: SetupLink, now: Date) => Partial<SetupLink>,
): Promise<void> {
  await compareAndSwap(['set-up link', id, id], async () => {
    const current = await deps.setupLinks.find(orgId, id);
    if (current === undefined) throw new AppError(connectionErrors.setupLinkNotFound);
    const now = deps.clock.now();
    const link: SetupLink = { ...current, ...change(current, now), version: current.version + 1 };
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      const replaced = { link, expectedVersion: current.version };
      if (!(await deps.setupLinks.replace(orgId, replaced, transaction))) return undefined;
      const editor = { userId: id, service: 'setup' };
      await deps.events.append(eventsOf(link, { happened: [event], editor }, now), transaction);
      return link;
    });
  });
}

function eventsOf(
  { id, orgId, version, created }: SetupLink,
  about: Parameters<typeof newEvents>[2],
  lastModified = created,
) {
  return newEvents('setup_link', { id, orgId, version, lastModified }, about);
}
