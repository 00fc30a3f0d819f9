import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret, sameSecretHash } from '#src/keys/secret-hash.js';
import { type Clock, preciseSeconds } from '#src/platform/clock.js';
import { createLru } from '#src/platform/lru.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { Actor } from './access-token-claims.js';
import type { FamilyBeginning, RefreshFamily, RefreshTokensStore } from './refresh-tokens.store.js';
import type { RememberedBrowsersStore } from './remembered-browsers.store.js';
import { isAnyRevoked, type RevocationList } from './revocation.js';
import type { Revocation } from './revocations.store.js';

/** The fields with which a family begins. */
export type NewRefreshFamily = Pick<
  RefreshFamily,
  | 'id'
  | 'clientId'
  | 'userId'
  | 'orgId'
  | 'scope'
  | 'claims'
  | 'audience'
  | 'sessionId'
  | 'authTime'
  | 'amr'
  | 'proofs'
  | 'policyAcr'
  | 'connectionIds'
  | 'act'
  | 'origins'
  | 'notAfter'
>;

/** A live family, and the token of it that a client showed. */
interface ShownRefreshToken {
  readonly family: RefreshFamily;
  readonly hash: string;
}

/**
 * Refresh tokens rotate with each use (RFC 9700 section 4.14.2). Tokens are sealed, so that only issued
 * tokens count as reused: nobody can end a family with an invented token.
 */
export interface RefreshTokens {
  /**
   * Begins a family.
   * @returns its first refresh token
   */
  begin(family: NewRefreshFamily): Promise<string>;
  /**
   * The live family of a token, whether the token is current or not. The family of a current token comes from
   * memory if this process wrote it last. If the family has ended elsewhere, {@link rotate} notices.
   */
  find(token: string): Promise<ShownRefreshToken | undefined>;
  /** The live family with this identifier, as it is stored. */
  findById(id: string): Promise<RefreshFamily | undefined>;
  /**
   * Replaces the token by its successor. Of two uses of the current token at the same time, one rotates it
   * and both get the same successor. A client that lost the response gets the same successor again within the
   * grace time. Any other use of an old token is reuse, and ends the family: after the grace time, or of a token two or more
   * generations old, whose successor was used already (RFC 9700 section 4.14.2).
   * @returns undefined when the token cannot be used
   */
  rotate(shown: ShownRefreshToken): Promise<string | undefined>;
  /** Ends a family, and revokes all its access tokens. */
  end(family: Pick<RefreshFamily, 'id' | 'userId'>): Promise<void>;
  /** Like {@link end}, if such a family exists. */
  endById(id: string): Promise<void>;
  /**
   * Ends the families of a user, or those that began in the session, for the client or by the connection, like {@link end}. The end of all
   * families forgets every browser of the user too.
   */
  endAllOf(userId: string, begun?: FamilyBeginning): Promise<void>;
  /** Ends the families of an organization that began by a connection, like {@link end}. */
  endAllOfConnection(orgId: string, connectionId: string): Promise<void>;
  /** The sessions in which families began, each once. A family outlives its session, and its ID tokens name the session. */
  sessionsBehind: RefreshTokensStore['sessionsBehind'];
  /** Removes all families of these users, those in which they act for others, and the browsers that are remembered for them. */
  removeAllOf(userIds: readonly string[], transaction?: Transaction): Promise<void>;
}

/** Times in seconds. Absent: as in the instance. */
interface RefreshLives {
  readonly refreshTokenSeconds?: number;
  readonly refreshTokenIdleSeconds?: number;
}

interface RefreshTokensDeps {
  readonly store: RefreshTokensStore;
  /** What lets a person in without a second factor ends with what lets a client in without the person. */
  readonly rememberedBrowsers: Pick<RememberedBrowsersStore, 'removeAllOf'>;
  /** With a purpose of its own. */
  readonly sealer: Sealer;
  readonly revocations: RevocationList;
  readonly clock: Clock;
  /** How long the refresh tokens of the people of an organization may live, where that is shorter than in the instance. */
  readonly livesOf: (orgId: string) => Promise<RefreshLives>;
  readonly config: {
    readonly accessTokenSeconds: number;
    readonly refreshTokenIdleSeconds: number;
    readonly refreshTokenSeconds: number;
    readonly refreshTokenGraceSeconds: number;
  };
}

const prefix = 'mrt_';
/** The number of families that a process caches. */
const maxHeld = 5_000;
/** No refresh token that this service makes is longer. */
const maxLength = 400;

export function createRefreshTokens(deps: RefreshTokensDeps): RefreshTokens {
  const { store, rememberedBrowsers, sealer, revocations, clock, config } = deps;

  /** Families as this process wrote them last. */
  const held = createLru<RefreshFamily>({ max: maxHeld });

  async function end(family: Pick<RefreshFamily, 'id' | 'userId'>): Promise<void> {
    const revocation = revocationOf(deps, family);
    await revocations.record(revocation);
    await revocations.publish(revocation);
    held.delete(family.id);
    // The family is removed last: a request that begins it at the same time checks the revocation after its
    // write.
    await store.remove(family.id);
  }

  return {
    async begin(family) {
      const token = newToken(sealer, family.id);
      const begun = beginningOf(config, { family, token, now: clock.now() });
      await store.insert(begun);
      held.set(family.id, begun);
      return token;
    },

    async find(token) {
      const id = familyIdOf(sealer, token);
      if (id === undefined) return undefined;
      const hash = hashSecret(token);
      const known = held.get(id);
      const isCurrent = known !== undefined && sameSecretHash(hash, known.currentHash);
      const family = await findLive(deps, id, isCurrent ? known : undefined);
      return family && { family, hash };
    },

    findById: (id) => findLive(deps, id),

    async rotate(shown) {
      const { family, hash } = shown;
      if (sameSecretHash(hash, family.currentHash)) {
        const now = clock.now();
        const token = newToken(sealer, family.id);
        const rotation = {
          currentHash: hashSecret(token),
          previousHash: hash,
          successor: sealer.seal(Buffer.from(token)),
          rotated: now,
          idleEnd: idleEnd(config, now, family.absoluteEnd),
        };
        if (await store.rotate(family.id, rotation)) {
          held.set(family.id, { ...family, ...rotation });
          return token;
        }
      }
      held.delete(family.id);
      // Another use was faster, or the token is an old one.
      const latest = await findLive(deps, family.id);
      if (latest === undefined) return undefined;
      const successor = successorOf(deps, { family: latest, hash });
      if (successor === undefined) await end(latest);
      return successor;
    },

    end,
    async endById(id) {
      const family = await store.find(id);
      if (family !== undefined) await end(family);
    },
    async endAllOf(userId, begun) {
      if (begun === undefined || Object.keys(begun).length === 0)
        await rememberedBrowsers.removeAllOf([userId]);
      for (const id of await store.idsOf(userId, begun)) await end({ id, userId });
    },
    async endAllOfConnection(orgId, connectionId) {
      for (const family of await store.ofConnection(orgId, connectionId)) await end(family);
    },
    sessionsBehind: (of) => store.sessionsBehind(of),
    async removeAllOf(userIds, transaction) {
      await rememberedBrowsers.removeAllOf(userIds, transaction);
      await store.removeAllOf(userIds, transaction);
    },
  };
}

/** The family as its first token begins it. It ends with the tokens that were exchanged for it. */
function beginningOf(
  config: RefreshTokensDeps['config'],
  { family, token, now }: { family: NewRefreshFamily; token: string; now: Date },
): RefreshFamily {
  const ownEnd = now.getTime() + config.refreshTokenSeconds * 1000;
  const absoluteEnd = new Date(Math.min(ownEnd, family.notAfter?.getTime() ?? ownEnd));
  return {
    ...family,
    actors: actorsOf(family.act),
    currentHash: hashSecret(token),
    rotated: now,
    begun: now,
    idleEnd: idleEnd(config, now, absoluteEnd),
    absoluteEnd,
  };
}

function newToken(sealer: Sealer, familyId: string): string {
  return prefix + sealer.seal(Buffer.from(familyId)).toString('base64url');
}

/** The identifier of the family of a token. Undefined if this service did not make the token. */
function familyIdOf(sealer: Sealer, token: string): string | undefined {
  if (!token.startsWith(prefix) || token.length > maxLength) return undefined;
  return sealer.unseal(Buffer.from(token.slice(prefix.length), 'base64url'))?.toString();
}

/** The idle end after a use at `now`. */
function idleEnd(config: RefreshTokensDeps['config'], now: Date, absoluteEnd: Date): Date {
  return new Date(Math.min(now.getTime() + config.refreshTokenIdleSeconds * 1000, absoluteEnd.getTime()));
}

/** The family if it has not ended. @param known the family from memory */
async function findLive(
  { store, clock, revocations, livesOf }: RefreshTokensDeps,
  id: string,
  known?: RefreshFamily,
): Promise<RefreshFamily | undefined> {
  const family = known ?? (await store.find(id));
  if (family === undefined || family.idleEnd <= clock.now()) return undefined;
  if (hasOutlived(family, await livesOf(family.orgId), clock.now())) return undefined;
  return (await isAnyRevoked(revocations, family.origins)) ? undefined : family;
}

/** Whether a family is older, or was longer idle, than its organization allows by now. */
function hasOutlived({ begun, authTime, rotated }: RefreshFamily, lives: RefreshLives, now: Date): boolean {
  const isOver = (since: Date, seconds = Number.POSITIVE_INFINITY) =>
    since.getTime() + seconds * 1000 <= now.getTime();
  const since = begun ?? authTime ?? rotated;
  return isOver(since, lives.refreshTokenSeconds) || isOver(rotated, lives.refreshTokenIdleSeconds);
}

/** The revocation of all access tokens of a family. */
function revocationOf(
  { clock, config }: RefreshTokensDeps,
  { id, userId }: Pick<RefreshFamily, 'id' | 'userId'>,
): Revocation {
  const now = clock.now();
  return {
    kind: 'family',
    id,
    sub: userId,
    issuedUntil: preciseSeconds(now),
    expires: new Date(now.getTime() + config.accessTokenSeconds * 1000),
  };
}

/** The current token, for a client that shows the previous one within the grace time. */
function successorOf(
  { sealer, clock, config }: RefreshTokensDeps,
  { family, hash }: ShownRefreshToken,
): string | undefined {
  const { previousHash, successor, rotated } = family;
  if (previousHash === undefined || successor === undefined) return undefined;
  if (!sameSecretHash(hash, previousHash)) return undefined;
  const age = clock.now().getTime() - rotated.getTime();
  if (age > config.refreshTokenGraceSeconds * 1000) return undefined;
  return sealer.unseal(successor)?.toString();
}

/** The identifiers of all actors, the nearest first. */
export function actorsOf(act: Actor | undefined): string[] {
  return act === undefined ? [] : [act.sub, ...actorsOf(act.act)];
}
