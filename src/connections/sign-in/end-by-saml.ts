import type { Clock } from '#src/platform/clock.js';
import { longestSid, ProviderFailure } from '../provider/index.js';
import type { SamlConnection } from '../registry/connection.js';
import { samlAddresses } from '../registry/saml-addresses.js';
import { answerLogout, type RequestDeps } from '../saml/request-at-provider.js';
import type { Departure } from '../saml/saml-tasks.js';
import type { UsedAssertions } from '../saml/used-assertions.store.js';
import type { EndByProviderDeps } from './end-by-provider.js';
import type { ProviderSessionsStore } from './provider-sessions.store.js';

export interface EndBySamlDeps extends RequestDeps, Pick<EndByProviderDeps, 'endSignInsOf'> {
  readonly usedAssertions: Pick<UsedAssertions, 'use' | 'forget'>;
  readonly providerSessions: Pick<ProviderSessionsStore, 'find'>;
  readonly clock: Clock;
}

/** A logout request as the browser brought it. */
interface BroughtRequest {
  readonly binding: 'redirect' | 'post';
  /** The field `SAMLRequest` of the form, or the whole query of the address. */
  readonly message: string;
  /** The field `RelayState` of the form. '' for none. That of an address is read from its signed query. */
  readonly relayState: string;
}

/** What a logout request came to. */
interface EndedBySaml {
  /** How the browser brings the answer to the provider. Absent for a provider without an address for it. */
  readonly departure?: Departure;
  /** Whether sessions have ended. */
  readonly hasEnded: boolean;
}

/** The longest RelayState that is returned, in characters. SAML Bindings section 3.4.3 allows 80 bytes. */
const longestRelayState = 1_000;

/** The key of a person in the list of sessions at providers. A session index of SAML names nobody without the person. */
export function keyOfNameId(nameId: string): string {
  return `name ${nameId}`;
}

/**
 * Ends the sessions that a signed logout request of the provider names (SAML Profiles section 4.4.3). The request counts once. A person whom nobody knows here
 * has none. No cookie is read: the provider says whose sessions end, and not which browser brings the request.
 * @throws ProviderFailure
 */
export async function endBySaml(
  deps: EndBySamlDeps,
  connection: SamlConnection,
  { relayState, ...brought }: BroughtRequest,
): Promise<EndedBySaml> {
  const { orgId, id: connectionId, provider } = connection;
  const { id, nameId, sessionIndexes, ...signed } = await deps.samlThreads.run(orgId, 'verifyLogoutRequest', {
    ...brought,
    entityId: provider.issuer,
    certificates: provider.certificates,
    allowsSha1: provider.allowsSha1,
    destination: samlAddresses(deps.config, connection).sloUrl,
    now: deps.clock.now().getTime(),
  });
  const used = `logout ${id}`;
  if (!(await deps.usedAssertions.use(connection, used)))
    throw new ProviderFailure('assertionUsed', 'The logout request came a second time');
  let ended = 0;
  try {
    const userId = await deps.providerSessions.find({ connectionId, sid: keyOfNameId(nameId) });
    if (userId !== undefined)
      for (const sid of sidsOf(sessionIndexes))
        ended += await deps.endSignInsOf({ userId, connectionId, sid });
  } catch (error) {
    await deps.usedAssertions.forget(connection, used);
    throw error;
  }
  const hasEnded = ended > 0;
  const { signOut } = provider;
  if (signOut === undefined) return { hasEnded };
  const { relayState: state = relayState } = signed;
  const returned = state.length > longestRelayState ? '' : state;
  const answer = { signOut, inResponseTo: id, relayState: returned };
  return { departure: await answerLogout(deps, connection, answer), hasEnded };
}

/** Undefined stands for all sessions of the person. A session here does not know a longer index. */
function sidsOf(indexes: readonly string[]): readonly (string | undefined)[] {
  return indexes.length === 0 || indexes.some(({ length }) => length > longestSid) ? [undefined] : indexes;
}
