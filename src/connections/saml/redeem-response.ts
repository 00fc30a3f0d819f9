import type { Sealer } from '#src/keys/sealer.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { requireProvedSince } from '../provider/check-claims.js';
import { ProviderFailure } from '../provider/provider-failure.js';
import type { ProvedIdentity } from '../provider/redeem-answer.js';
import { requireSubject } from '../provider/require-subject.js';
import type { SamlConnection } from '../registry/connection.js';
import { readSamlKey } from '../registry/connection-secrets.js';
import { samlAddresses } from '../registry/saml-addresses.js';
import type { SamlAssertion } from './expected-response.js';
import { longestResponse } from './expected-response.js';
import { nameIdUrns } from './saml-names.js';
import type { SamlThreads } from './saml-threads.js';
import type { UsedAssertions } from './used-assertions.store.js';

export interface RedeemResponseDeps {
  readonly samlThreads: Pick<SamlThreads, 'run'>;
  readonly usedAssertions: UsedAssertions;
  readonly connectionSealer: Sealer;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string };
}

/** A response of a provider, and what it must fit. */
interface SamlResponse {
  readonly connection: SamlConnection;
  /** The field `SAMLResponse` of the form that came through the browser. */
  readonly response: string;
  readonly requestId: string;
  /** When the person must have proved itself at the provider at the earliest. Absent: any time. */
  readonly provedSince?: Date | undefined;
}

/** The longest base64 of a response, in characters, with its line breaks. */
const longestText = Math.ceil((longestResponse * 4) / 3) * 1.05;
/** The difference that the clocks of a provider and of this service may have, in seconds. */
const skewSeconds = 60;

/**
 * Verifies a response, and takes its assertion, which counts once over all processes. All that is read of it was signed.
 * @throws ProviderFailure
 */
export async function redeemResponse(
  deps: RedeemResponseDeps,
  { connection, response, requestId, provedSince }: SamlResponse,
): Promise<ProvedIdentity> {
  if (response === '' || response.length > longestText)
    throw new ProviderFailure('answerInvalid', 'The answer has no response, or one that is too long');
  const { orgId, provider } = connection;
  const { entityId: audience, acsUrl } = samlAddresses(deps.config, connection);
  const privateKey = hasEncrypted(response) ? readSamlKey(deps.connectionSealer, connection) : undefined;
  const assertion = await deps.samlThreads.run(orgId, 'verifyResponse', {
    ...{ response, audience, acsUrl, requestId, now: deps.clock.now().getTime() },
    entityId: provider.issuer,
    certificates: provider.certificates,
    signed: provider.signedPart,
    allowsSha1: provider.allowsSha1,
    ...(privateKey !== undefined && { privateKey }),
  });
  if (!(await deps.usedAssertions.use(connection, assertion.id)))
    throw new ProviderFailure('assertionUsed', 'The assertion came a second time');
  const subject = requireSubject(subjectOf(connection, assertion), {
    problem: 'assertionInvalid',
    from: 'The subject of the assertion',
  });
  const claims = claimsOf(connection, assertion, subject);
  const { nameId, sessionIndex } = assertion;
  requireProvedSince(claims, { since: provedSince, skewSeconds });
  const person = nameId && { nameId, ...(sessionIndex !== undefined && { sessionIndex }) };
  return {
    ...{ subject, claims },
    ...(nameId && { nameId: nameId.value }),
    ...(person && provider.endsSession && { logoutHint: person }),
  };
}

/** Whether a response can have something encrypted. The key of the connection leaves its seal only for one that has. */
function hasEncrypted(response: string): boolean {
  return Buffer.from(response, 'base64').includes('EncryptedAssertion');
}

/** @throws ProviderFailure `assertionInvalid` if what the assertion has is no subject */
function subjectOf(
  { provider: { subjectAttribute } }: SamlConnection,
  { nameId, attributes }: SamlAssertion,
): string | undefined {
  if (subjectAttribute !== undefined) {
    const values = attributes.find(([name]) => name === subjectAttribute)?.[1] ?? [];
    return values.length === 1 ? values[0] : undefined;
  }
  const { format = nameIdUrns.unspecified, value } = nameId ?? {};
  if (format === nameIdUrns.persistent || format === nameIdUrns.unspecified) return value;
  throw new ProviderFailure(
    'assertionInvalid',
    'The name identifier is an address, or new each time; name the attribute that never changes',
  );
}

/**
 * The attributes as claims, one value as a text and several as a list. What OpenID Connect says beside them comes from the assertion. A
 * provider of SAML does not say whether it has verified an address. It is trusted if an administrator has turned on the rule `byDomain`, and then in
 * proved domains alone.
 */
function claimsOf(
  { linking }: SamlConnection,
  { attributes, authnInstant, authnContext, sessionIndex, sessionEnds }: SamlAssertion,
  subject: string,
) {
  return {
    ...Object.fromEntries(
      attributes.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
    ),
    sub: subject,
    email_verified: linking.byDomain,
    auth_time: unixSeconds(new Date(authnInstant)),
    acr: authnContext,
    amr: undefined,
    sid: sessionIndex,
    session_expiry: sessionEnds === undefined ? undefined : unixSeconds(new Date(sessionEnds)),
  };
}
