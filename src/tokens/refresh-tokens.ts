import { LRUCache } from 'lru-cache';
import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret, sameSecretHash } from '#src/keys/secret-hash.js';
import { type Clock, preciseSeconds } from '#src/platform/clock.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { Actor } from './access-token.js';
import type { RefreshFamily, RefreshTokensStore } from './refresh-tokens.store.js';
import { isAnyRevoked, type RevocationList } from './revocation.js';

/** What a family begins with. */
export type NewRefreshFamily = Pick<
  RefreshFamily,
  | 'id'
  | 'clientId'
  | 'userId'
  | 'orgId'
  | 'scope'
  | 'audience'
  | 'sessionId'
  | 'authTime'
  | 'amr'
  | 'act'
  | 'origins'
  | 'notAfter'
>;

/** A live family and the token of it that was shown. */
export interface ShownRefreshToken {
  readonly family: RefreshFamily;
  readonly hash: string;
}

/**
 * Refresh tokens rotate with each use (RFC 9700 section 4.14.2). A token is sealed, so that only tokens that were
 * issued can be reused: nobody can end a family with an invented one.
 */
export interface RefreshTokens {
  /** Begins a family. @returns its first refresh token */
  begin(family: NewRefreshFamily): Promise<string>;
  /**
   * The live family of a token of it, whether that is the current one or not. That of a current one comes from memory
   * where this process wrote it last: should it have ended elsewhere, {@link rotate} finds out.
   */
  find(token: string): Promise<ShownRefreshToken | undefined>;
  /**
   * The successor of the token. One of two that use the current token at once rotates it; the other one, and who
   * lost the answer and asks again within the grace time, gets the same successor, so that both can go on. Any
   * other use of an old token is reuse: it ends the family.
   * @returns undefined when the token cannot be used
   */
  rotate(shown: ShownRefreshToken): Promise<string | undefined>;
  /** Ends a family and revokes every access token of it. */
  end(family: Pick<RefreshFamily, 'id' | 'userId'>): Promise<void>;
  /** As {@link end}, where there is such a family. */
  endById(id: string): Promise<void>;
  /** Ends the families of a user that began in the session, or all, each as {@link end} does. */
  endAllOf(userId: string, sessionId?: string): Promise<void>;
  /** Removes all families of a user, and those in which the user acts for others. */
  removeAllOf(userId: string, transaction?: Transaction): Promise<void>;
}

export interface RefreshTokensDeps {
  readonly store: RefreshTokensStore;
  /** Of a purpose of its own. */
  readonly sealer: Sealer;
  readonly revocations: RevocationList;
  readonly clock: Clock;
  readonly config: {
    readonly accessTokenSeconds: number;
    readonly refreshTokenIdleSeconds: number;
    readonly refreshTokenSeconds: number;
    readonly refreshTokenGraceSeconds: number;
  };
}

const prefix = 'mrt_';
/** Families that a process holds in memory. */
const maxHeld = 5_000;
/** No refresh token that we make is longer. */
const maxLength = 400;

export function createRefreshTokens(deps: RefreshTokensDeps): RefreshTokens {
  const { store, sealer, revocations, clock, config } = deps;

  /** As this process wrote them last. */
  const held = new LRUCache<string, RefreshFamily>({ max: maxHeld });

  const newToken = (id: string) => prefix + sealer.seal(Buffer.from(id)).toString('base64url');

  /** The end that a use at `now` gives. */
  const idleEnd = (now: Date, absoluteEnd: Date) =>
    new Date(Math.min(now.getTime() + config.refreshTokenIdleSeconds * 1000, absoluteEnd.getTime()));

  async function findLive(id: string, known?: RefreshFamily): Promise<RefreshFamily | undefined> {
    const family = known ?? (await store.find(id));
    if (family === undefined || family.idleEnd <= clock.now()) return undefined;
    return (await isAnyRevoked(revocations, family.origins)) ? undefined : family;
  }

  async function end({ id, userId }: Pick<RefreshFamily, 'id' | 'userId'>): Promise<void> {
    const now = clock.now();
    const revocation = {
      kind: 'family' as const,
      id,
      sub: userId,
      issuedUntil: preciseSeconds(now),
      expires: new Date(now.getTime() + config.accessTokenSeconds * 1000),
    };
    await revocations.record(revocation);
    await revocations.publish(revocation);
    held.delete(id);
    // Last: who begins the family at this moment looks for the revocation after having written it.
    await store.remove(id);
  }

  /** What somebody gets who shows the token before the current one, in time: the current one. */
  function successorOf({ family, hash }: ShownRefreshToken): string | undefined {
    const { previousHash, successor, rotated } = family;
    if (previousHash === undefined || successor === undefined) return undefined;
    if (!sameSecretHash(hash, previousHash)) return undefined;
    const age = clock.now().getTime() - rotated.getTime();
    if (age > config.refreshTokenGraceSeconds * 1000) return undefined;
    return sealer.unseal(successor)?.toString();
  }

  return {
    async begin(family) {
      const now = clock.now();
      const token = newToken(family.id);
      const ownEnd = now.getTime() + config.refreshTokenSeconds * 1000;
      const absoluteEnd = new Date(Math.min(ownEnd, family.notAfter?.getTime() ?? ownEnd));
      const begun = {
        ...family,
        actors: actorsOf(family.act),
        currentHash: hashSecret(token),
        rotated: now,
        idleEnd: idleEnd(now, absoluteEnd),
        absoluteEnd,
      };
      await store.insert(begun);
      held.set(family.id, begun);
      return token;
    },

    async find(token) {
      if (!token.startsWith(prefix) || token.length > maxLength) return undefined;
      const id = sealer.unseal(Buffer.from(token.slice(prefix.length), 'base64url'))?.toString();
      if (id === undefined) return undefined;
      const hash = hashSecret(token);
      const known = held.get(id);
      const isCurrent = known !== undefined && sameSecretHash(hash, known.currentHash);
      const family = await findLive(id, isCurrent ? known : undefined);
      return family && { family, hash };
    },

    async rotate(shown) {
      const { family, hash } = shown;
      if (sameSecretHash(hash, family.currentHash)) {
        const now = clock.now();
        const token = newToken(family.id);
        const rotation = {
          currentHash: hashSecret(token),
          previousHash: hash,
          successor: sealer.seal(Buffer.from(token)),
          rotated: now,
          idleEnd: idleEnd(now, family.absoluteEnd),
        };
        if (await store.rotate(family.id, rotation)) {
          held.set(family.id, { ...family, ...rotation });
          return token;
        }
      }
      held.delete(family.id);
      // Somebody was faster, or the token is an old one.
      const latest = await findLive(family.id);
      if (latest === undefined) return undefined;
      const successor = successorOf({ family: latest, hash });
      if (successor === undefined) await end(latest);
      return successor;
    },

    end,
    async endById(id) {
      const family = await store.find(id);
      if (family !== undefined) await end(family);
    },
    async endAllOf(userId, sessionId) {
      for (const id of await store.idsOf(userId, sessionId)) await end({ id, userId });
    },
    removeAllOf: (userId, transaction) => store.removeAllOf(userId, transaction),
  };
}

/** The identifiers of everybody who acts, the nearest first. */
export function actorsOf(act: Actor | undefined): string[] {
  return act === undefined ? [] : [act.sub, ...actorsOf(act.act)];
}
