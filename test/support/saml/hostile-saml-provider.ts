import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Rooms } from '#src/rooms.js';
import { makeTenant } from '../app/make.js';
import type { Call } from '../app/test-app.js';
import { type Connected, leaveFor, newVisitor } from '../oidc/connected.js';
import type { Seen, Visitor } from '../oidc/visitor.js';
import {
  assertionXml,
  encryptedXml,
  makeSamlKey,
  responseXml,
  type Said,
  type SamlKey,
  signElement,
  toBase64,
  usuallySaid,
} from './saml-documents.js';

interface Service {
  readonly app: FastifyInstance;
  readonly call: Call;
  readonly container: Rooms;
}

/** What a provider does otherwise than it should. Absent: it behaves. */
export interface SamlLies {
  /** What the assertion says in place of the right values. */
  said?: Partial<Said>;
  signs?: readonly ('Assertion' | 'Response')[];
  /** The key that signs. */
  key?: SamlKey;
  /** Encrypts the assertion with this key. */
  encryptsWith?: SamlKey;
  /** The status instead of Success, and the code in it. */
  status?: readonly [code: string, detail: string];
  /** The response instead of its own. */
  response?: (own: string) => string;
  /** The fields of the form in place of the right ones. */
  fields?: Record<string, string>;
}

/** The form with which a browser comes back. */
interface Answer {
  readonly path: string;
  readonly fields: Record<string, string>;
}

/** A SAML provider that can lie. It signs in whomever the test says. */
export interface HostileSamlProvider {
  readonly entityId: string;
  readonly key: SamlKey;
  /** Set by a test, for the next answers. */
  lies: SamlLies;
  /** Its metadata, with the certificates of these keys. */
  metadata(keys?: readonly SamlKey[]): string;
  /** Reads the authentication request in an address or in the fields of a form. */
  read(request: string | Record<string, string>): Request;
  /** Answers a request with an assertion about somebody. */
  answer(request: string | Record<string, string>, person: Partial<Said>): Promise<Answer>;
}

interface Request {
  readonly xml: string;
  readonly id: string;
  readonly acsUrl: string;
  readonly issuer: string;
  readonly relayState: string;
}

export function createHostileSamlProvider(now: () => Date): HostileSamlProvider {
  const entityId = `https://saml-${randomBytes(4).toString('hex')}.example/idp`;
  const provider: HostileSamlProvider = {
    entityId,
    key: makeSamlKey(),
    lies: {},
    metadata: (keys = [provider.key]) => metadataXml(entityId, keys),
    read(request) {
      const isAddress = typeof request === 'string';
      const fields = isAddress ? Object.fromEntries(new URL(request).searchParams) : request;
      const bytes = Buffer.from(fields['SAMLRequest'] ?? '', 'base64');
      const xml = (isAddress ? inflateRawSync(bytes) : bytes).toString();
      const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
      return {
        xml,
        id: attribute('ID'),
        acsUrl: attribute('AssertionConsumerServiceURL'),
        issuer: /Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
        relayState: fields['RelayState'] ?? '',
      };
    },
    async answer(request, person) {
      const { lies } = provider;
      const { id: requestId, acsUrl, issuer: audience, relayState } = provider.read(request);
      const id = `_${randomBytes(8).toString('hex')}`;
      const right = { issuer: entityId, acsUrl, audience, requestId, now: now(), id };
      const said = usuallySaid({ ...right, ...person, ...lies.said });
      const xml = await responseOf(provider, said);
      return {
        path: new URL(acsUrl).pathname,
        fields: {
          SAMLResponse: toBase64(lies.response?.(xml) ?? xml),
          RelayState: relayState,
          ...lies.fields,
        },
      };
    },
  };
  return provider;
}

async function responseOf({ lies, key: own }: HostileSamlProvider, said: Said): Promise<string> {
  const { signs = ['Assertion'], key = own, encryptsWith, status: [status, detail] = ['Success', ''] } = lies;
  const envelope = (content: string) =>
    responseXml(said, status === 'Success' ? content : '', {
      id: `_${randomBytes(8).toString('hex')}`,
      status,
      detail,
    });
  let xml = envelope(assertionXml(said));
  if (status !== 'Success') return xml;
  if (signs.includes('Assertion')) xml = signElement(xml, 'Assertion', { key });
  if (encryptsWith !== undefined) {
    const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml) ?? [];
    xml = xml.replace(assertion, await encryptedXml(assertion, encryptsWith));
  }
  return signs.includes('Response') ? signElement(xml, 'Response', { key }) : xml;
}

function metadataXml(entityId: string, keys: readonly SamlKey[]): string {
  const descriptors = keys.map(
    ({ certificate }) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate.replace(/-----[^-]+-----/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  const service = (name: string, binding: string) =>
    `<md:${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-${binding}" Location="${entityId}/${binding.toLowerCase()}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- made by a test -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${descriptors.join('')}${service('SingleSignOnService', 'POST')}${service('SingleSignOnService', 'Redirect')}
</md:IDPSSODescriptor></md:EntityDescriptor>`;
}

/** Makes an organization with a connection to the provider, by its metadata. @param settings replace those of a connection that creates everybody */
export async function makeSamlConnected(
  service: Service,
  provider: HostileSamlProvider,
  settings: Record<string, unknown> & { provider?: object } = {},
): Promise<Connected> {
  const { orgId, owner } = await makeTenant(service.container);
  return addSamlConnection(service, { orgId, owner }, provider, settings);
}

/** Adds a connection to the provider by the admin API. */
export async function addSamlConnection(
  { call }: Pick<Service, 'call'>,
  { orgId, owner }: Pick<Connected, 'orgId' | 'owner'>,
  provider: HostileSamlProvider,
  { provider: own, ...settings }: Record<string, unknown> & { provider?: object } = {},
): Promise<Connected> {
  const body = {
    name: 'Acme',
    protocol: 'saml',
    provider: { metadata: provider.metadata(), ...own },
    creation: 'create',
    ...settings,
  };
  const answer = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as: owner, body });
  if (answer.status !== 201) throw new Error(`Not added: ${JSON.stringify(answer.body)}`);
  const connectionId = String(answer.body.id);
  return { orgId, owner, connectionId, path: `/admin/v1/orgs/${orgId}/connections/${connectionId}` };
}

/** Brings an answer to this service, as a browser does: another site posts it, and a page of this service posts it again. */
export async function bringBack(service: Service, visitor: Visitor, { path, fields }: Answer): Promise<Seen> {
  // Another site makes the browser post, which sends no cookie then.
  const page = await newVisitor(service).post(path, fields);
  if (page.status !== 200) return page;
  return visitor.fill(page, {}, path);
}

/** Signs somebody in at the provider of a connection, and comes back. */
export async function signInBySaml(
  service: Service,
  visitor: Visitor,
  connected: Pick<Connected, 'orgId' | 'connectionId'>,
  { provider, person }: { provider: HostileSamlProvider; person: Partial<Said> },
): Promise<Seen> {
  const address = await leaveFor(visitor, connected);
  return bringBack(service, visitor, await provider.answer(address, person));
}

/** The login page that a refused answer leads to, with every other way. The visitor has followed the redirect. */
export function refusedLogin(seen: Seen): Seen {
  if (!/role="alert"/.test(seen.text) || !/name="(?:password|loginName)"|way=password/.test(seen.text))
    throw new Error(`Not refused with another way: ${seen.status} ${seen.location} ${seen.text}`);
  return seen;
}
