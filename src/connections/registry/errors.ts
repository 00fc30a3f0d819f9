import { AppError, defineErrors } from '#src/platform/errors.js';

/** Errors of connections to outside providers. */
export const connectionErrors = defineErrors('connections', {
  connectionNotFound: { kind: 'notFound', message: 'Connection not found' },
  connectionLimit: {
    kind: 'conflict',
    message: 'An organization has at most 20 connections; remove one first',
  },
  issuerFixed: {
    kind: 'conflict',
    message: 'The issuer of a connection never changes; add another connection',
    at: 'provider.issuer',
  },
  providerUnusable: {
    kind: 'invalid',
    message: 'The provider cannot be used',
    at: 'provider.issuer',
  },
  signInsFull: {
    kind: 'unavailable',
    message: 'The memory for sign-ins at outside providers is full; try again shortly',
  },
  testNotFound: { kind: 'notFound', message: 'The test of the sign-in does not exist, or its time is over' },
  setupLinkLimit: { kind: 'conflict', message: 'An organization has at most 5 set-up links; end one first' },
  connectionInUse: {
    kind: 'conflict',
    message:
      'People use the connection, so a set-up link changes its client secret alone; an owner changes the rest',
  },
  setupDomainRemoved: {
    kind: 'conflict',
    message: 'The organization does not have the domain; ask an owner to add it again',
  },
  setupLinkNotFound: { kind: 'notFound', message: 'The set-up link does not exist or has ended' },
  noLastSignIn: {
    kind: 'notFound',
    message: 'Nobody signed in by the connection in the last 24 hours; name the claims to try',
  },
  identityNotFound: { kind: 'notFound', message: 'The person has no identity of this connection' },
  lastWayIn: {
    kind: 'conflict',
    message: 'It is the only way in which the person can sign in',
  },
});

/**
 * The error for a provider that cannot be used.
 * @param failure `fault`: what is wrong with it, by a name for which pages have a sentence in each language; `member`: of its discovery document
 */
export function unusableProvider({
  message: detail,
  fault,
  member,
}: {
  message: string;
  fault: string | undefined;
  member: string | undefined;
}): AppError {
  const { id, at } = connectionErrors.providerUnusable;
  const violation = {
    path: [at ?? ''],
    id,
    detail,
    ...(fault !== undefined && { params: { reason: fault, ...(member !== undefined && { member }) } }),
  };
  return new AppError(connectionErrors.providerUnusable, { detail, violations: [violation] });
}
