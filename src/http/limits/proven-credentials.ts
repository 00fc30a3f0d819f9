import { hash } from 'node:crypto';
import type { Clock } from '#src/platform/clock.js';
import { createLru } from '#src/platform/lru.js';

/**
 * The headers `Authorization` that this process has lately accepted, with their callers. Above the limit of their address they are still
 * served. To look one up costs a hash. To verify one that is unknown may cost a signature or a read.
 */
export interface ProvenCredentials {
  /** Remembers for a while a header that proved this client or user. */
  add(authorization: string | undefined, caller: string): void;
  /** Returns the caller that a remembered header proved, for counting. Undefined for every other header. */
  find(authorization: string | undefined): string | undefined;
  /** Forgets a header that proves nobody any more. */
  remove(authorization: string | undefined): void;
}

/** The headers that a process remembers. Each takes about 300 bytes, and up to 512 for the latest header of its caller. */
const max = 10_000;

/** The headers that it remembers for one caller, so that nobody evicts those of all others. */
const maxOfCaller = 4;

/** How long it remembers one. */
const lifeMs = 300_000;

/** A header is remembered anew after this time. */
const renewMs = 60_000;

/** A longer header is not compared but hashed each time, so that the memory is bounded. In characters. */
const maxKeptHeader = 512;

interface Caller {
  /** The digests of the headers, the latest last. Some of them may be forgotten already. */
  readonly digests: readonly string[];
  /** The latest header, and its digest. */
  readonly digest: string;
  readonly header: string | undefined;
  readonly addedAt: number;
}

export function createProvenCredentials({ clock }: { clock: Clock }): ProvenCredentials {
  const known = createLru<{ caller: string; until: number }>({ max });
  const callers = createLru<Caller>({ max });
  return {
    add(authorization, caller) {
      if (authorization === undefined) return;
      const now = clock.now().getTime();
      const before = callers.get(caller);
      // Most callers send the same header for minutes.
      if (before?.header === authorization && before.addedAt > now - renewMs && known.has(before.digest))
        return;
      const digest = digestOf(authorization);
      known.set(digest, { caller, until: now + lifeMs });
      const digests = [...(before?.digests ?? []).filter((other) => other !== digest), digest];
      for (const old of digests.slice(0, -maxOfCaller)) known.delete(old);
      const header = authorization.length <= maxKeptHeader ? authorization : undefined;
      callers.set(caller, { digests: digests.slice(-maxOfCaller), digest, header, addedAt: now });
    },
    find(authorization) {
      const found = authorization === undefined ? undefined : known.get(digestOf(authorization));
      return found !== undefined && found.until > clock.now().getTime() ? found.caller : undefined;
    },
    remove(authorization) {
      if (authorization !== undefined) known.delete(digestOf(authorization));
    },
  };
}

/** The digest of a header. The letter case of its scheme and the number of spaces mean nothing (RFC 9110 section 11.4). */
function digestOf(authorization: string): string {
  const header = authorization.trim();
  const space = header.indexOf(' ');
  const canonical =
    space === -1 ? header : `${header.slice(0, space).toLowerCase()} ${header.slice(space).trimStart()}`;
  return hash('sha256', canonical, 'base64url');
}
