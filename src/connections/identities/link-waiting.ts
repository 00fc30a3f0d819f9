import type { AccountsStore } from '#src/accounts/index.js';
import { longestLinkText } from '#src/accounts/person-lists/index.js';
import type { Editor } from '#src/audit/event.js';
import type { Membership } from '#src/directory/index.js';
import type { UserMetadata, UserMetadataStore } from '#src/people/metadata/index.js';
import { AppError } from '#src/platform/errors.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { connectionErrors } from '../registry/errors.js';
import { identityHolder, type LinkDeps, linkIdentity } from './link-identity.js';
import { PersonRefused } from './sign-in-refusal.js';

export interface LinkWaitingDeps extends LinkDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly userMetadata: Pick<UserMetadataStore, 'pageOfAll'>;
  readonly caches: LinkDeps['caches'] & { readonly memberships: Pick<Cache<Membership[]>, 'get'> };
}

/** What became of an identity that another system told. */
export const waitingOutcomes = [
  /** It is linked, or would be. */
  'linked',
  /** The person has it already. */
  'had',
  /** Another person has it. */
  'taken',
  /** The person has 20 identities already. */
  'full',
  /** Metadata names somebody with a role. Whoever may write metadata could otherwise become an administrator. */
  'hasRole',
  /** The person is gone. */
  'gone',
  /** The metadata is not what `muster convert` writes. */
  'unreadable',
] as const;

export interface WaitingIdentity {
  readonly userId: string;
  /** Absent if the metadata cannot be read. */
  readonly subject?: string;
  readonly outcome: (typeof waitingOutcomes)[number];
}

interface WaitingQuery {
  readonly orgId: string;
  readonly connectionId: string;
  /** The alias or issuer of the provider in the system that the people came from. */
  readonly provider: string;
  /** The place after which the page begins, from the page before. */
  readonly after?: string | undefined;
  readonly dryRun: boolean;
  readonly editor: Editor;
}

/** The people, and the metadata, that one page looks at. Each link is a transaction. */
const pageSize = 100;

/**
 * Links identities to a connection that an import left waiting under the name of a provider: links without a connection first, then metadata
 * `identity:*`. One page at a time, which may be repeated. The metadata stays.
 * @throws AppError `connections.connectionNotFound`
 */
export async function linkWaiting(
  deps: LinkWaitingDeps,
  query: WaitingQuery,
): Promise<{ items: WaitingIdentity[]; next?: string }> {
  const { orgId, connectionId, after = 'links ' } = query;
  if (!(await deps.caches.connections.get(orgId)).some(({ id }) => id === connectionId))
    throw new AppError(connectionErrors.connectionNotFound);
  const [list = '', ...rest] = after.split(' ');
  const place = rest.join(' ');
  const page = place === '' ? { limit: pageSize } : { after: place, limit: pageSize };
  if (list === 'links') {
    const lists = await deps.identityLinks.pageOfAll(orgId, page);
    const last = lists.length === pageSize ? lists.at(-1)?.userId : undefined;
    const found = lists.flatMap(({ userId, items }) =>
      Object.entries(items)
        .filter(([, link]) => link.connectionId === undefined && link.provider === query.provider)
        .map(([key, { subject }]) => ({ userId, subject, replaces: key })),
    );
    return {
      items: await linkEach(deps, query, found),
      next: last === undefined ? 'metadata ' : `links ${last}`,
    };
  }
  const read = await deps.userMetadata.pageOfAll(orgId, page);
  const last = read.length === pageSize ? read.at(-1) : undefined;
  const found = read.flatMap((one) => identityIn(one, query.provider));
  return {
    items: await linkEach(deps, query, found),
    ...(last && { next: `metadata ${last.userId} ${last.key}` }),
  };
}

interface Found {
  readonly userId: string;
  readonly subject?: string;
  /** The key of the waiting link that it replaces. Absent for metadata. */
  readonly replaces?: string;
}

/** Returns the identity that metadata tells, if it is one of this provider. The key has the provider percent-encoded. */
function identityIn({ userId, key, value }: UserMetadata, provider: string): Found[] {
  const begin = `identity:${encodeURIComponent(provider)}`;
  if (key !== begin && !(key.startsWith(`${begin}:`) && /^\d{1,2}$/.test(key.slice(begin.length + 1))))
    return [];
  const told = objectIn(value);
  const subject = told?.['subject'];
  const isReadable =
    told?.['provider'] === provider &&
    typeof subject === 'string' &&
    subject !== '' &&
    subject.length <= longestLinkText &&
    !/[\p{Cc}\p{Cs}]/u.test(subject);
  return [{ userId, ...(isReadable && { subject }) }];
}

/** The most characters of metadata that can be an identity: three texts of 500 characters, in JSON and base64. */
const longestValue = 16_000;

/** The JSON object in base64, or undefined. */
function objectIn(value: string): JsonObject | undefined {
  if (value.length > longestValue) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value, 'base64').toString());
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

async function linkEach(
  deps: LinkWaitingDeps,
  query: WaitingQuery,
  found: readonly Found[],
): Promise<WaitingIdentity[]> {
  const items: WaitingIdentity[] = [];
  for (const one of found) {
    const { userId, subject } = one;
    const outcome = subject === undefined ? 'unreadable' : await linkOne(deps, query, { ...one, subject });
    items.push({ userId, ...(subject !== undefined && { subject }), outcome });
  }
  return items;
}

async function linkOne(
  deps: LinkWaitingDeps,
  { orgId, connectionId, dryRun, editor }: WaitingQuery,
  { userId, subject, replaces }: Found & { subject: string },
): Promise<WaitingIdentity['outcome']> {
  if ((await deps.accounts.find(orgId, userId)) === undefined) return 'gone';
  if (replaces === undefined && (await deps.caches.memberships.get(userId)).length > 0) return 'hasRole';
  const identity = { orgId, connectionId, subject };
  const holder = await identityHolder(deps, identity);
  if (holder !== undefined) return holder === userId ? 'had' : 'taken';
  if (dryRun) return 'linked';
  try {
    await linkIdentity(deps, { ...identity, userId, rule: 'moved', editor, replaces });
    return 'linked';
  } catch (error) {
    if (!(error instanceof PersonRefused)) throw error;
    if (error.reason === 'tooManyIdentities') return 'full';
    return error.reason === 'identityTaken' ? 'taken' : 'gone';
  }
}
