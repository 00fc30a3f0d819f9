import type { Proof } from '#src/authentication/proofs/index.js';
import type { ProvedIdentity } from '../provider/index.js';
import { createSealedEntries, type SealedEntries, type SealedEntriesDeps } from './sealed-entries.js';

/**
 * An identity that a provider has confirmed, and that no rule links to anybody. It waits until its person has proved an account here, or says
 * that there is none.
 */
export interface PendingLink {
  readonly orgId: string;
  readonly connectionId: string;
  /** The hash of the browser that came back from the provider. */
  readonly agentHash: string;
  /** The flow of the waiting authorization request, or ''. */
  readonly flow: string;
  readonly toAccount: boolean;
  /** The person at the provider, with the claims that the connection reads. */
  readonly proved: ProvedIdentity;
  readonly proof: Proof;
  /** When the person left for the provider. A connection that was switched off since does not count. */
  readonly created: Date;
}

/** Identities that wait for their person, by a secret that the browser has. */
export type PendingLinksStore = SealedEntries<PendingLink>;

export function createPendingLinks(deps: SealedEntriesDeps): PendingLinksStore {
  return createSealedEntries(deps, {
    family: `${deps.prefix}:connection-link`,
    revive: ({ created, ...pending }: Omit<PendingLink, 'created'> & { created: string }) => ({
      ...pending,
      created: new Date(created),
    }),
  });
}
