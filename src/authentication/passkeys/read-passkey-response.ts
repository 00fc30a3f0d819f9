import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

type Members = Readonly<Record<string, unknown>>;

/** The longest answer of a browser that is read, in characters. Attestations with certificates are the longest. */
const longestResponse = 24_000;
/** The longest text in it, in characters of base64url. */
const longestPart = 20_000;
/** The longest Credential ID, in bytes (section 7.1 step 25). */
const longestId = 1_023;
/** The most transports that are kept. */
const mostTransports = 10;

/** The answer of a browser to `navigator.credentials.create` (WebAuthn Level 3 section 5.1), as far as it is used. */
export interface ReadRegistration {
  readonly json: RegistrationResponseJSON;
  readonly challenge: string;
}

/** The answer of a browser to `navigator.credentials.get`, as far as it is used. */
export interface ReadAssertion {
  readonly json: AuthenticationResponseJSON;
  readonly challenge: string;
  /** What the browser says of the page that asked. It is part of what the authenticator signs. */
  readonly clientData: Members;
  /** In base64url without padding. */
  readonly userHandle: string | undefined;
}

/**
 * Reads the `RegistrationResponseJSON` that the script of a page sends. Everything that is not used is left out.
 * @returns undefined for a text that is none
 */
export function readRegistration(text: string): ReadRegistration | undefined {
  const read = readResponse(text);
  const attestationObject = read && partOf(read.response, 'attestationObject');
  if (read === undefined || attestationObject === undefined) return undefined;
  const { id, clientDataJSON, challenge, response } = read;
  const transports = transportsOf(response['transports']);
  return {
    challenge,
    json: { ...commonOf(id), response: { clientDataJSON, attestationObject, transports } },
  };
}

/**
 * Reads the `AuthenticationResponseJSON` that the script of a page sends. Everything that is not used is left out.
 * @returns undefined for a text that is none
 */
export function readAssertion(text: string): ReadAssertion | undefined {
  const read = readResponse(text);
  const authenticatorData = read && partOf(read.response, 'authenticatorData');
  const signature = read && partOf(read.response, 'signature');
  if (read === undefined || authenticatorData === undefined || signature === undefined) return undefined;
  const { id, clientDataJSON, clientData, challenge, response } = read;
  return {
    challenge,
    clientData,
    userHandle: partOf(response, 'userHandle'),
    json: { ...commonOf(id), response: { clientDataJSON, authenticatorData, signature } },
  };
}

function commonOf(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;
}

/** The common part of both answers. */
function readResponse(text: string) {
  if (text.length > longestResponse) return undefined;
  const credential = membersOf(jsonOf(text));
  const response = membersOf(credential?.['response']);
  if (credential?.['type'] !== 'public-key' || response === undefined) return undefined;
  const id = partOf(credential, 'id');
  const clientDataJSON = partOf(response, 'clientDataJSON');
  if (id === undefined || clientDataJSON === undefined) return undefined;
  if (Buffer.byteLength(id, 'base64url') > longestId) return undefined;
  const clientData = membersOf(jsonOf(Buffer.from(clientDataJSON, 'base64url').toString()));
  if (clientData === undefined) return undefined;
  const { challenge, crossOrigin = false, topOrigin } = clientData;
  // No page of this service is shown in a frame of another origin.
  if (typeof challenge !== 'string' || crossOrigin !== false || topOrigin !== undefined) return undefined;
  return { id, clientDataJSON, clientData, challenge, response };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

/** Bytes in base64url, without padding. Undefined if there are none. */
function partOf(members: Members, name: string): string | undefined {
  const value = members[name];
  if (typeof value !== 'string' || value.length > longestPart || !/^[\w-]+=*$/.test(value)) return undefined;
  return Buffer.from(value, 'base64url').toString('base64url');
}

/** What the browser says about how the authenticator is reached. A page passes it back to browsers later. */
function transportsOf(value: unknown): AuthenticatorTransport[] {
  if (!Array.isArray(value)) return [];
  const known = value.filter((one) => typeof one === 'string' && /^[a-z-]{1,32}$/.test(one));
  return [...new Set(known)].slice(0, mostTransports) as AuthenticatorTransport[];
}
