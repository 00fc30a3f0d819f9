import { addApplication } from '#src/clients/applications/add-application.js';
import type { User } from '#src/directory/user.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newUser } from '#src/people/users/new-user.js';
import { unixSeconds } from '#src/platform/clock.js';
import { newId, newSecret } from '#src/platform/ids.js';
import { profileOf } from '../people.js';
import { editor, type Setting } from '../setting.js';
import { type SignedIn, settings } from './oidc-own-side.js';
import { scope } from './oidc-side.js';

/** A person who has signed in to an application: the refresh family of the sign-in, and the cookie of the browser. */
export interface StoredSignIn extends SignedIn {
  readonly familyId: string;
  readonly cookie: string;
}

/** Stored sign-ins. `any` returns one of them at random. */
export interface Stored {
  any(): StoredSignIn;
}

/** A person has at most 100 sessions. With 100,000 sign-ins, each has 50. */
const people = 2_000;
const peopleAtOnce = 100;
const chunk = 1_000;
/** The number of sessions that are written in parallel. Each takes several commands with a short time limit. */
const sessionsAtOnce = 200;

/**
 * Stores this many applications, refresh families and sessions. The number of people who hold them is the same at any
 * size.
 */
export async function storeMany(setting: Setting, size: number): Promise<Stored> {
  const { container, organization } = setting;
  const users = await addPeople(setting);
  const { application, clientSecret: secret = '' } = await addApplication(container, {
    orgId: organization.id,
    settings,
    editor,
  });
  const [{ id: userId, orgId }] = users as [User];
  const familyId = newId();
  const audience = [application.id];
  await container.refreshTokens.begin({
    id: familyId,
    clientId: application.id,
    userId,
    orgId,
    scope,
    audience,
    authTime: container.clock.now(),
    amr: ['pwd'],
  });
  const userOf = (n: number) => users[n % people] as User;
  const applicationIds = await copy(setting, { collection: 'applications', id: application.id, size });
  const familyIds = await copy(setting, {
    collection: 'refreshFamilies',
    id: familyId,
    size,
    change: (n) => ({ userId: userOf(n).id, clientId: applicationIds[n], currentHash: newId() }),
  });
  const sessions: Pick<StoredSignIn, 'session' | 'cookie'>[] = [];
  while (sessions.length < size) {
    const numbers = Array.from(
      { length: Math.min(sessionsAtOnce, size - sessions.length) },
      (_, i) => sessions.length + i,
    );
    sessions.push(...(await Promise.all(numbers.map((n) => signIn(setting, userOf(n))))));
  }
  return {
    any() {
      const n = Math.floor(Math.random() * size);
      const client = { id: applicationIds[n] as string, secret };
      const signedIn = sessions[n] as (typeof sessions)[number];
      return { ...signedIn, user: userOf(n), client, familyId: familyIds[n] as string };
    },
  };
}

/** An access token of a stored sign-in, made as the token endpoint makes it. */
export function accessTokenOf({ container }: Setting, { user, client, session, familyId }: StoredSignIn) {
  const issuedAt = unixSeconds(container.clock.now());
  const claims = {
    jti: newId(),
    sub: user.id,
    org: user.orgId,
    clientId: client.id,
    clientOrgId: user.orgId,
    username: user.userName,
    audience: [client.id],
    scope,
    issuedAt,
    expiresAt: issuedAt + 3600,
    family: familyId,
    session: session.id,
  };
  return container.accessTokens.issue(claims, 'opaque');
}

/** Gives the stored family of a sign-in a refresh token that the bench knows. */
export async function refreshTokenOf(
  { container, env }: Setting,
  { familyId }: StoredSignIn,
): Promise<string> {
  const sealer = createSealer(parseMasterKeys(env['MUSTER_MASTER_KEYS'] ?? ''), 'refresh-token');
  const token = `mrt_${sealer.seal(Buffer.from(familyId)).toString('base64url')}`;
  const families = container.mongo.collection<{ _id: string }>('refreshFamilies');
  await families.updateOne({ _id: familyId }, { $set: { currentHash: hashSecret(token) } });
  return token;
}

async function signIn({ container }: Setting, user: User): Promise<Pick<StoredSignIn, 'session' | 'cookie'>> {
  const { id: userId, orgId, userName, displayName } = user;
  const person = { userId, orgId, userName, displayName, proofs: [{ kind: 'password' } as const] };
  const secret = newSecret();
  const { id, authTime, proofs } = await container.sessions.signIn(hashSecret(secret), person);
  return { session: { id, authTime, proofs }, cookie: `muster-agent=${secret}` };
}

async function addPeople({ container, organization }: Setting): Promise<User[]> {
  const added = await Promise.all(
    Array.from({ length: people }, (_, n) => newUser(container, organization, { profile: profileOf(n) })),
  );
  for (let from = 0; from < people; from += peopleAtOnce) {
    await container.mongo.transaction((transaction) =>
      container.users.insert(organization.id, added.slice(from, from + peopleAtOnce), transaction),
    );
  }
  return added.map(({ user }) => user);
}

interface Copies {
  readonly collection: string;
  /** The document that the product's store has written. */
  readonly id: string;
  readonly size: number;
  readonly change?: (n: number) => object;
}

/** Fills a collection with copies of one of its documents. @returns the identifiers of all documents */
async function copy({ container }: Setting, copies: Copies): Promise<string[]> {
  const { size, change = () => ({}) } = copies;
  const collection = container.mongo.collection<{ _id: string }>(copies.collection);
  const model = await collection.findOne({ _id: copies.id });
  const ids = [copies.id];
  while (ids.length < size) {
    const documents = Array.from({ length: Math.min(chunk, size - ids.length) }, (_, i) => ({
      ...model,
      ...change(ids.length + i),
      _id: newId(),
    }));
    await collection.insertMany(documents);
    ids.push(...documents.map(({ _id }) => _id));
  }
  return ids;
}
