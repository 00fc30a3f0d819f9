import { sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { SamlKey } from './saml-documents.js';

/** What a logout request says. `undefined` leaves a part out. */
export interface SaidLogout {
  readonly id: string;
  readonly version: string;
  readonly issuer: string;
  readonly destination: string | undefined;
  readonly issued: Date | string | undefined;
  readonly notOnOrAfter: Date | undefined;
  readonly nameId: string | undefined;
  readonly sessionIndexes: readonly string[];
  /** XML at the end of the request. */
  readonly more: string;
}

/** A logout request as a provider makes it (SAML Core section 3.7.1), without a signature. */
export function logoutRequestXml(said: SaidLogout): string {
  const attribute = (name: string, value: string | Date | undefined) =>
    value === undefined ? '' : ` ${name}="${value instanceof Date ? value.toISOString() : value}"`;
  return [
    '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
    attribute('ID', said.id),
    attribute('Version', said.version),
    attribute('IssueInstant', said.issued),
    attribute('NotOnOrAfter', said.notOnOrAfter),
    attribute('Destination', said.destination),
    `><saml:Issuer>${said.issuer}</saml:Issuer>`,
    said.nameId === undefined ? '' : `<saml:NameID>${said.nameId}</saml:NameID>`,
    ...said.sessionIndexes.map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`),
    `${said.more}</samlp:LogoutRequest>`,
  ].join('');
}

export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** The query with which a browser brings a message by HTTP-Redirect (SAML Bindings section 3.4.4.1). */
export function signedAddressQuery(
  xml: string,
  { key, relayState, algorithm = rsaSha256 }: { key: SamlKey; relayState?: string; algorithm?: string },
): string {
  const signed = [
    `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
    `SigAlg=${encodeURIComponent(algorithm)}`,
  ].join('&');
  const hash = /sha1$/.test(algorithm) ? 'sha1' : 'sha256';
  const signature = sign(hash, Buffer.from(signed), key.privateKey).toString('base64');
  return `${signed}&Signature=${encodeURIComponent(signature)}`;
}
