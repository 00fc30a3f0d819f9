import type { TimedProof } from '#src/authentication/proofs/index.js';
import type { Session } from './session.js';
import type { SessionsStore } from './sessions.store.js';

/** What names a session at the provider of a connection. */
interface NamedAtProvider {
  readonly connectionId: string;
  readonly sid: string;
}

/** By what providers name the sessions of people there. */
export interface NamesAtProviders {
  put(session: NamedAtProvider & { readonly userId: string }): Promise<void>;
  forgetNamed(userId: string, named: readonly NamedAtProvider[]): Promise<void>;
}

/** Notes by what providers name a session that began. The end of another one may have forgotten it since the person came back from there. */
export async function nameAtProviders(
  names: Pick<NamesAtProviders, 'put'>,
  { userId, proofs }: Session,
): Promise<void> {
  for (const named of sidsIn(proofs)) await names.put({ ...named, userId });
}

/**
 * Forgets by what providers name sessions of a person that have ended, unless another session of the person goes by the same name. A name identifier of
 * SAML stays: a sign-in of the person may be about to begin a session, which a logout there must find.
 */
export async function forgetAtProviders(
  { store, providerSessions }: { store: Pick<SessionsStore, 'ofUser'>; providerSessions: NamesAtProviders },
  userId: string,
  ended: readonly Session[],
): Promise<void> {
  const named = ended.flatMap(({ proofs }) => sidsIn(proofs));
  if (named.length === 0) return;
  const others = (await store.ofUser(userId)).flatMap(({ proofs }) => sidsIn(proofs));
  const isHeld = (one: NamedAtProvider) =>
    others.some(({ connectionId, sid }) => connectionId === one.connectionId && sid === one.sid);
  const left = named.filter((one) => !isHeld(one));
  if (left.length > 0) await providerSessions.forgetNamed(userId, left);
}

/** What names the session at the providers of a sign-in. */
function sidsIn(proofs: readonly TimedProof[]): NamedAtProvider[] {
  return proofs.flatMap((proof) =>
    proof.kind === 'connection' && proof.sid !== undefined
      ? [{ connectionId: proof.connectionId, sid: proof.sid }]
      : [],
  );
}
