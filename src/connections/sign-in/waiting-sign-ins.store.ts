import { createSealedEntries, type SealedEntries, type SealedEntriesDeps } from './sealed-entries.js';

/**
 * A sign-in whose person is at a provider. Everything that the answer must fit is fixed before the browser leaves: the browser, the connection,
 * and the secrets of this one request.
 */
export interface WaitingSignIn {
  readonly orgId: string;
  readonly connectionId: string;
  /** The hash of the browser that left. */
  readonly agentHash: string;
  /** The flow of the waiting authorization request, or ''. */
  readonly flow: string;
  readonly toAccount: boolean;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly created: Date;
  /** When the person must have proved itself at the provider at the earliest. */
  readonly provedSince?: Date;
  /** The test that began it. It signs nobody in. Absent: the person signs in. */
  readonly test?: string;
  /** The session of a person who links an identity to its account. Absent: the person signs in. */
  readonly linkTo?: { readonly userId: string; readonly sessionId: string };
}

/** The `ID` of the SAML request of a waiting sign-in. An identifier of XML begins with no digit. */
export function requestIdOf({ nonce }: Pick<WaitingSignIn, 'nonce'>): string {
  return `_${nonce}`;
}

/** Sign-ins that wait for a provider, by their `state`. */
export type WaitingSignInsStore = SealedEntries<WaitingSignIn>;

type WaitingJson = Omit<WaitingSignIn, 'created' | 'provedSince'> & { created: string; provedSince?: string };

export function createWaitingSignIns(deps: SealedEntriesDeps): WaitingSignInsStore {
  return createSealedEntries(deps, {
    family: `${deps.prefix}:connection-sign-in`,
    revive: ({ created, provedSince, ...waiting }: WaitingJson) => ({
      ...waiting,
      created: new Date(created),
      ...(provedSince !== undefined && { provedSince: new Date(provedSince) }),
    }),
  });
}
