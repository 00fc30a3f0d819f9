import { ProviderFailure } from '../provider/provider-failure.js';
import type { NameId } from '../registry/saml-provider.js';
import type { ExpectedResponse, SamlAssertion } from './expected-response.js';
import { readInstant } from './read-instant.js';
import { namespaces } from './saml-names.js';
import { attributeValue, childrenOf, textOnly, type XmlElement } from './xml-tree.js';

/** Clocks may be a minute apart. */
const skewMs = 60_000;
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** The conditions that this service understands. One that it does not understand makes an assertion invalid (SAML Core section 2.5.1). */
const knownConditions = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

/**
 * Reads a signed assertion, and checks that it is meant for this request of this service (SAML Profiles section 4.1.4.3, Core section 2.3.3).
 * @param assertion what the signature covers, and nothing else
 * @throws ProviderFailure `assertionInvalid`
 */
export function readSamlAssertion(assertion: XmlElement, expected: ExpectedResponse): SamlAssertion {
  requireDates(assertion);
  const id = attributeValue(assertion, 'ID') ?? '';
  const isAssertion = assertion.namespace === namespaces.assertion && assertion.name === 'Assertion';
  if (!isAssertion || attributeValue(assertion, 'Version') !== '2.0' || id === '')
    throw invalid('is none of SAML 2.0');
  if (textOnly(one(assertion, 'Issuer')) !== expected.entityId) throw invalid('is of another issuer');
  requireConditions(one(assertion, 'Conditions'), expected);
  const subject = one(assertion, 'Subject');
  requireConfirmed(subject, expected);
  const nameId = readNameId(subject);
  return {
    id,
    ...(nameId && { nameId }),
    attributes: readAttributes(assertion),
    ...readStatement(assertion, expected),
  };
}

/**
 * An assertion says when it was made, and what bounds it says when it ends (SAML Core section 2.3.3, Profiles section 4.1.4.2). Whether these times fit is
 * checked where they are read.
 */
function requireDates(assertion: XmlElement): void {
  const isBound = ({ attributes }: XmlElement) => attributes.length > 0;
  const conditions = of(assertion, 'Conditions').slice(0, 1);
  const confirmations = of(assertion, 'Subject').flatMap((subject) => of(subject, 'SubjectConfirmation'));
  const data = confirmations.flatMap((one) => of(one, 'SubjectConfirmationData').slice(0, 1));
  const bounds = [...conditions.filter(isBound), ...data.filter(isBound).slice(0, 1)];
  const dates = bounds.flatMap((bound) => [
    attributeValue(bound, 'NotOnOrAfter'),
    attributeValue(assertion, 'IssueInstant'),
  ]);
  if (dates.some((date) => Number.isNaN(Date.parse(date ?? ''))))
    throw new ProviderFailure('assertionInvalid', 'The assertion lacks a time, or has one that is none');
}

function requireConditions(conditions: XmlElement, { audience, now }: ExpectedResponse): void {
  requireTime(conditions, now);
  if (conditions.children.some(({ name, namespace }) => !isKnownCondition(name, namespace)))
    throw invalid('has a condition that is not known here');
  const restrictions = of(conditions, 'AudienceRestriction');
  const isForUs = (restriction: XmlElement) =>
    of(restriction, 'Audience').some((one) => textOnly(one) === audience);
  // Each restriction must hold (SAML Core section 2.5.1.4).
  if (restrictions.length === 0 || !restrictions.every(isForUs)) throw invalid('is for another audience');
}

function isKnownCondition(name: string, namespace: string): boolean {
  return namespace === namespaces.assertion && knownConditions.has(name);
}

/** One bearer confirmation must fit: for this address, this request and this time. */
function requireConfirmed(subject: XmlElement, { acsUrl, requestId, now }: ExpectedResponse): void {
  const confirmations = of(subject, 'SubjectConfirmation').filter(
    (one) => attributeValue(one, 'Method') === bearer,
  );
  const data = confirmations.map((one) => of(one, 'SubjectConfirmationData'));
  const [found, ...others] = data.flat();
  if (found === undefined || others.length > 0 || confirmations.length > 1)
    throw invalid('must have one bearer confirmation');
  if (attributeValue(found, 'Recipient') !== acsUrl) throw invalid('is for another recipient');
  if (attributeValue(found, 'InResponseTo') !== requestId) throw invalid('answers another request');
  if (attributeValue(found, 'NotOnOrAfter') === undefined) throw invalid('must say how long it counts');
  requireTime(found, now);
}

/** Checks `NotBefore` and `NotOnOrAfter` of an element. An absent one does not bound. */
function requireTime(element: XmlElement, now: number): void {
  const from = timeOf(element, 'NotBefore');
  const until = timeOf(element, 'NotOnOrAfter');
  if (from !== undefined && now + skewMs < from) throw invalid('does not count yet');
  if (until !== undefined && now - skewMs >= until) throw invalid('has expired');
}

/** How and when the person proved itself at the provider (SAML Core section 2.7.2). */
function readStatement(
  assertion: XmlElement,
  { now }: ExpectedResponse,
): Pick<SamlAssertion, 'authnInstant' | 'authnContext' | 'sessionIndex' | 'sessionEnds'> {
  const [statement] = of(assertion, 'AuthnStatement');
  if (statement === undefined) throw invalid('does not say that the person signed in');
  const authnInstant = timeOf(statement, 'AuthnInstant');
  if (authnInstant === undefined) throw invalid('does not say when the person signed in');
  const sessionEnds = timeOf(statement, 'SessionNotOnOrAfter');
  if (sessionEnds !== undefined && now - skewMs >= sessionEnds)
    throw invalid('is of a session that has ended');
  const sessionIndex = attributeValue(statement, 'SessionIndex');
  const [reference] = of(statement, 'AuthnContext').flatMap((context) => of(context, 'AuthnContextClassRef'));
  const authnContext = reference && textOnly(reference);
  return {
    authnInstant,
    ...(authnContext !== undefined && { authnContext }),
    ...(sessionIndex !== undefined && { sessionIndex }),
    ...(sessionEnds !== undefined && { sessionEnds }),
  };
}

function readNameId(subject: XmlElement): NameId | undefined {
  const [found, ...others] = of(subject, 'NameID');
  if (found === undefined) return undefined;
  const value = textOnly(found);
  if (others.length > 0 || value === undefined || value === '')
    throw invalid('has a NameID that cannot be read');
  const format = attributeValue(found, 'Format');
  const nameQualifier = attributeValue(found, 'NameQualifier');
  const spNameQualifier = attributeValue(found, 'SPNameQualifier');
  return {
    value,
    ...(format !== undefined && { format }),
    ...(nameQualifier !== undefined && { nameQualifier }),
    ...(spNameQualifier !== undefined && { spNameQualifier }),
  };
}

/** The values that are texts. Those of several attributes with one name are one list. */
function readAttributes(assertion: XmlElement): SamlAssertion['attributes'] {
  const byName = new Map<string, string[]>();
  for (const statement of of(assertion, 'AttributeStatement')) {
    for (const attribute of of(statement, 'Attribute')) {
      const name = attributeValue(attribute, 'Name') ?? '';
      const values = byName.get(name) ?? [];
      byName.set(name, values);
      for (const value of of(attribute, 'AttributeValue')) {
        const text = textOnly(value);
        if (text !== undefined && text !== '') values.push(text);
      }
    }
  }
  return [...byName];
}

function timeOf(element: XmlElement, name: string): number | undefined {
  const text = attributeValue(element, name);
  if (text === undefined) return undefined;
  const time = readInstant(text);
  if (time === undefined) throw invalid('has a time that is none');
  return time;
}

function of(element: XmlElement, name: string): XmlElement[] {
  return childrenOf(element, namespaces.assertion, name);
}

function one(element: XmlElement, name: string): XmlElement {
  const [found, ...others] = of(element, name);
  if (found === undefined || others.length > 0) throw invalid(`must have one ${name}`);
  return found;
}

function invalid(what: string): ProviderFailure {
  return new ProviderFailure('assertionInvalid', `The assertion ${what}`);
}
