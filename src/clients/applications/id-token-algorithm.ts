import type { AlgorithmChoice, KnownAlgorithms } from '#src/keys/known-algorithms.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import type { Application } from './application.js';

type Choosing = Pick<Application, 'idTokenSignedResponseAlg' | 'formerIdTokenAlg'>;

export interface PublishChosenDeps {
  readonly signingKeys: Pick<SigningKeys, 'known' | 'publish'>;
}

/** Returns what decides which key signs the ID tokens of an application (OpenID Connect Dynamic Client Registration 1.0 section 2). */
export function algorithmChoice({ idTokenSignedResponseAlg, formerIdTokenAlg }: Choosing): AlgorithmChoice {
  return { wanted: idTokenSignedResponseAlg, former: formerIdTokenAlg };
}

/** Returns the algorithm that signs until clients know the keys of the next choice. Undefined means the one of the instance. */
export function formerAlgorithm(
  { idTokenSignedResponseAlg: chosen, formerIdTokenAlg: former }: Choosing,
  known: KnownAlgorithms,
): Application['formerIdTokenAlg'] {
  if (chosen === undefined) return undefined;
  return known.isKnown(chosen) ? chosen : former;
}

/**
 * Publishes the keys of the algorithms that applications chose. It never fails: what it cannot publish is published when it would sign, or by
 * the schedule.
 */
export async function publishChosen(
  { signingKeys }: PublishChosenDeps,
  applications: readonly Choosing[],
): Promise<void> {
  const chosen = new Set(applications.flatMap(({ idTokenSignedResponseAlg: alg }) => alg ?? []));
  await Promise.allSettled([...chosen].map((alg) => signingKeys.publish(alg)));
}
