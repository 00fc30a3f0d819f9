import { hash } from 'node:crypto';
import { createLru } from '#src/platform/lru.js';

/**
 * The headers `Authorization` that this process has lately accepted. Above the limit of their address they are still served. To look
 * one up costs a hash. To verify one that is unknown may cost a signature or a read.
 */
export interface ProvenCredentials {
  /** Remembers a header that proved its caller. */
  add(authorization: string | undefined): void;
  /** Returns the name of a remembered header, for counting. Undefined for every other one. */
  find(authorization: string | undefined): string | undefined;
  /** Forgets a header that proves nobody any more. */
  remove(authorization: string | undefined): void;
}

/** The headers that a process remembers. Each takes about 200 bytes. */
const max = 10_000;

export function createProvenCredentials(): ProvenCredentials {
  const known = createLru<true>({ max });
  const digestOf = (authorization: string) => hash('sha256', authorization, 'base64url');
  return {
    add(authorization) {
      if (authorization !== undefined) known.set(digestOf(authorization), true);
    },
    find(authorization) {
      const digest = authorization === undefined ? undefined : digestOf(authorization);
      return digest !== undefined && known.get(digest) === true ? digest : undefined;
    },
    remove(authorization) {
      if (authorization !== undefined) known.delete(digestOf(authorization));
    },
  };
}
