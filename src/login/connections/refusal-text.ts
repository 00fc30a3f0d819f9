import { type Connection, canShowFreshness } from '#src/connections/registry/index.js';
import type { SignInRefusal } from '#src/connections/sign-in/index.js';
import type { Texts } from '../texts/texts.js';

/** Reasons that concern the provider or its answer. The person may try again. */
const ofProvider: readonly SignInRefusal['reason'][] = [
  'unreachable',
  'metadataInvalid',
  'refusedByProvider',
  'answerInvalid',
  'codeRefused',
  'tokenInvalid',
  'signatureInvalid',
  'assertionInvalid',
  'assertionUsed',
  'undecryptable',
  'tooCostly',
  'secretMissing',
  'notFresh',
];

/**
 * The sentence for a person whose sign-in at a provider was refused. It says nothing about accounts: whether there is one, and why it may not
 * sign in, is for the administrators. Nothing of it comes from the provider.
 */
export function refusalText(
  t: Texts,
  reason: SignInRefusal['reason'],
  connection: Pick<Connection, 'name' | 'protocol' | 'provider'> | undefined,
): string {
  const name = connection?.name ?? '';
  if (reason === 'connectionOff') return t.connectionOff;
  if (reason === 'cancelled') return t.connectionCancelled(name);
  // A provider that shows when somebody signed in was asked for a fresh sign-in, and can be asked again.
  if (reason === 'notFresh' && connection !== undefined && !canShowFreshness(connection))
    return t.connectionNotFresh(name);
  return ofProvider.includes(reason) ? t.connectionFailed(name) : t.connectionRefused(name);
}
