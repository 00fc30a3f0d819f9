import type { Account, IdentityHolders } from '#src/accounts/index.js';
import {
  type IdentityLinksStore,
  identityLinks as kind,
  linksByKey,
  mostIdentityLinks,
  type PersonList,
} from '#src/accounts/person-lists/index.js';
import type { Editor, Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { compareAndSwap } from '#src/directory/index.js';
import type { UsersStore } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Connection } from '../registry/connection.js';
import { PersonRefused } from './sign-in-refusal.js';

type Links = PersonList<ReturnType<typeof linksByKey>[string]>;

export interface LinkDeps {
  readonly mongo: Mongo;
  readonly identityLinks: IdentityLinksStore;
  readonly events: EventsStore;
  readonly clock: Clock;
  readonly users: UsersStore;
  readonly caches: { readonly connections: Pick<Cache<readonly Connection[]>, 'get'> };
}

/** An identity: an organization, a connection of it and a subject there. Never an issuer and a subject alone, and never an address. */
export interface Identity {
  readonly orgId: string;
  readonly connectionId: string;
  readonly subject: string;
}

/** By which rule an identity belongs to a person. */
export type LinkRule = 'provisioned' | 'adopted' | 'domain' | 'person' | 'created' | 'moved';

interface NewLink extends Identity {
  readonly userId: string;
  readonly rule: LinkRule;
  readonly editor: Editor;
  /** The key of a waiting link that it replaces. */
  readonly replaces?: string | undefined;
}

/** Returns the key under which one person at most has the identity. */
function identityKey({ connectionId, subject }: Identity): string {
  const [key = ''] = Object.keys(linksByKey([{ connectionId, subject }]));
  return key;
}

/**
 * Returns the account of the person who has the identity. Undefined if nobody has it, or if its person was removed and the removal has not
 * reached the link yet.
 */
export function knownPerson(
  { identityLinks }: { readonly identityLinks: Pick<IdentityHolders, 'accountOf'> },
  identity: Identity,
): Promise<Account | undefined> {
  return identityLinks.accountOf(identity.orgId, identityKey(identity));
}

/** Returns the identifier of the person of the organization who has the identity. */
export async function identityHolder(
  { identityLinks }: Pick<LinkDeps, 'identityLinks'>,
  identity: Identity,
): Promise<string | undefined> {
  const key = identityKey(identity);
  return (await identityLinks.holders(identity.orgId, [key])).get(key);
}

/**
 * Gives a person an identity, with the events, in one transaction. Links of connections that are gone make room.
 * @throws PersonRefused `identityTaken`, `tooManyIdentities`
 */
export async function linkIdentity(deps: LinkDeps, link: NewLink): Promise<void> {
  const { orgId, userId, editor } = link;
  await compareAndSwap(['user', userId, editor.userId], async () => {
    const [current] = await deps.identityLinks.findMany(orgId, [userId]);
    const living = current && (await livingLinks(deps, current, link.replaces));
    if (Object.keys(living ?? {}).length >= mostIdentityLinks)
      throw new PersonRefused('tooManyIdentities', userId);
    const list = withLink(link, { current, living, now: deps.clock.now() });
    return deps.mongo
      .transactionOf(orgId, (transaction) => write(deps, { link, list, current }, transaction))
      .catch((error) => {
        if (!isDuplicateKey(error)) throw error;
        // The identity, or a first list of the person, was written meanwhile.
        if (current === undefined) return undefined;
        throw new PersonRefused('identityTaken');
      });
  });
}

/** Writes the first identity of a new person, in the transaction that adds the person. */
export async function writeFirstLink(
  deps: Pick<LinkDeps, 'identityLinks' | 'events' | 'clock'>,
  link: NewLink,
  transaction: Transaction,
): Promise<void> {
  const list = withLink(link, { current: undefined, living: undefined, now: deps.clock.now() });
  await deps.identityLinks.insert(link.orgId, [list], transaction);
  await deps.events.append([linkEvent('user.identity.linked', list, link)], transaction);
}

/** Returns the event of a link that came or went. It has no subject: that is a text of a stranger. */
export function linkEvent(
  type: 'user.identity.linked' | 'user.identity.unlinked',
  { id, orgId, userId, version: sequence, lastModified: date }: Links,
  { connectionId, rule, editor }: { connectionId: string; rule?: LinkRule; editor: Editor },
): Event {
  const event = newEvent(type, {
    ...{ aggregate: kind.aggregate, id, orgId, editor, sequence, date },
    payload: { userId, connectionId, ...(rule !== undefined && { rule }) },
  });
  // Neither a new person nor one whom the client added for this sign-in learns anything new. Somebody who was adopted had the account before.
  return rule === 'created' || rule === 'provisioned' ? { ...event, notice: 'none' } : event;
}

async function write(
  { users, identityLinks, events }: LinkDeps,
  { link, list, current }: { link: NewLink; list: Links; current: Links | undefined },
  transaction: Transaction,
): Promise<Links | undefined> {
  // A person who is being removed gets no identity, which would outlive it.
  if (!(await users.lock(link.orgId, link.userId, transaction))) throw new PersonRefused('unknownPerson');
  if (current === undefined) await identityLinks.insert(link.orgId, [list], transaction);
  else {
    const change = { list, expectedVersion: current.version };
    if (!(await identityLinks.replace(link.orgId, change, transaction))) return undefined;
  }
  await events.append([linkEvent('user.identity.linked', list, link)], transaction);
  return list;
}

function withLink(
  { orgId, userId, connectionId, subject }: NewLink,
  { current, living, now }: { current: Links | undefined; living: Links['items'] | undefined; now: Date },
): Links {
  const items = { ...living, ...linksByKey([{ connectionId, subject }]) };
  if (current === undefined)
    return { id: newId(), orgId, userId, items, version: 1, created: now, lastModified: now };
  return { ...current, items, version: current.version + 1, lastModified: now };
}

/** The links of connections that exist, and those that wait for a connection, without the replaced one. */
async function livingLinks(
  { caches }: LinkDeps,
  { orgId, items }: Links,
  replaced: string | undefined,
): Promise<Links['items']> {
  const known = new Set((await caches.connections.get(orgId)).map(({ id }) => id));
  return Object.fromEntries(
    Object.entries(items).filter(
      ([key, { connectionId }]) =>
        key !== replaced && (connectionId === undefined || known.has(connectionId)),
    ),
  );
}
