/**
 * How an organization connects a provider by SAML 2.0. The names are those of the pages of the provider, which are in English, so no language has others.
 */
export interface SamlTemplate {
  readonly key: SamlTemplateKey;
  /** Absent for another provider. */
  readonly name?: string;
  /** The page of the provider, and what is opened there. Absent for another provider. */
  readonly at?: { readonly page: string; readonly open: string };
  /** What the provider calls the entity ID of this service. */
  readonly entityId: string;
  /** What the provider calls the address for responses. */
  readonly acsUrl: string;
  /** What else is set there: the place, and the value. */
  readonly sets: readonly (readonly [where: string, what: string])[];
  /** What the provider calls its metadata, and whether it has a public address. */
  readonly metadata: { readonly name: string; readonly has: 'address' | 'file' };
  /** Settings of the provider that differ from the usual ones. */
  readonly provider: Readonly<Record<string, unknown>> & { readonly subjectAttribute?: string };
  /** The attributes with the values of a new person. */
  readonly claims: Readonly<Record<string, string>>;
  /** The name of its guide, which the service serves. */
  readonly guide: string;
}

const samlTemplateKeys = [
  'entra',
  'okta',
  'google',
  'keycloak',
  'onelogin',
  'ping',
  'adfs',
  'jumpcloud',
  'other',
] as const;

type SamlTemplateKey = (typeof samlTemplateKeys)[number];

const microsoft = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const objectIdentifier = 'http://schemas.microsoft.com/identity/claims/objectidentifier';
const claimsOfMicrosoft = {
  givenName: `${microsoft}/givenname`,
  familyName: `${microsoft}/surname`,
  email: `${microsoft}/emailaddress`,
};
/** The names that an administrator gives the attributes at providers without names of their own. */
const chosenClaims = { givenName: 'givenName', familyName: 'familyName', email: 'email' };
/** The attribute is the subject, so any name identifier will do. */
const subjectIn = (subjectAttribute: string) => ({ nameIdFormat: 'unspecified', subjectAttribute }) as const;

export const samlTemplates: readonly SamlTemplate[] = [
  {
    key: 'entra',
    name: 'Microsoft Entra ID',
    at: {
      page: 'Microsoft Entra admin center',
      open: 'Enterprise apps, New application, Create your own application, Single sign-on, SAML',
    },
    entityId: 'Identifier (Entity ID)',
    acsUrl: 'Reply URL (Assertion Consumer Service URL)',
    sets: [['SAML Certificates', 'Signing Option: Sign SAML assertion']],
    metadata: { name: 'App Federation Metadata Url', has: 'address' },
    provider: subjectIn(objectIdentifier),
    claims: claimsOfMicrosoft,
    guide: 'connect-entra',
  },
  {
    key: 'okta',
    name: 'Okta',
    at: { page: 'Okta Admin Console', open: 'Applications, Create App Integration, SAML 2.0' },
    entityId: 'Audience URI (SP Entity ID)',
    acsUrl: 'Single sign-on URL',
    sets: [
      [
        'Attribute Statements',
        'id = user.getInternalProperty("id"), givenName = user.firstName, familyName = user.lastName, email = user.email',
      ],
    ],
    metadata: { name: 'Metadata URL', has: 'address' },
    provider: subjectIn('id'),
    claims: chosenClaims,
    guide: 'connect-okta',
  },
  {
    key: 'google',
    name: 'Google Workspace',
    at: {
      page: 'Google Admin console',
      open: 'Apps, Web and mobile apps, Add app, Add custom SAML app',
    },
    entityId: 'Entity ID',
    acsUrl: 'ACS URL',
    sets: [
      ['Service provider details', 'Signed response: off'],
      [
        'Attribute mapping',
        'Employee ID = employeeId, First name = givenName, Last name = familyName, Primary email = email',
      ],
    ],
    metadata: { name: 'Download metadata', has: 'file' },
    provider: subjectIn('employeeId'),
    claims: chosenClaims,
    guide: 'connect-google',
  },
  {
    key: 'keycloak',
    name: 'Keycloak',
    at: { page: 'Keycloak admin console', open: 'Clients, Create client, SAML' },
    entityId: 'Client ID',
    acsUrl: 'Valid redirect URIs',
    sets: [
      ['Settings', 'Name ID format: persistent, Sign assertions: On'],
      ['Keys', 'Client signature required: Off'],
      ['Client scopes, …-dedicated, Add predefined mapper', 'X500 email, X500 givenName, X500 surname'],
    ],
    metadata: { name: 'Realm settings, General, SAML 2.0 Identity Provider Metadata', has: 'address' },
    provider: {},
    claims: {
      givenName: 'urn:oid:2.5.4.42',
      familyName: 'urn:oid:2.5.4.4',
      email: 'urn:oid:1.2.840.113549.1.9.1',
    },
    guide: 'connect-keycloak',
  },
  {
    key: 'onelogin',
    name: 'OneLogin',
    at: {
      page: 'OneLogin administration',
      open: 'Applications, Add App, SAML Custom Connector (Advanced), Configuration',
    },
    entityId: 'Audience (EntityID)',
    acsUrl: 'ACS (Consumer) URL',
    sets: [
      [
        'Configuration',
        'Recipient = ACS (Consumer) URL, ACS (Consumer) URL Validator = ACS (Consumer) URL, SAML initiator: Service Provider, SAML nameID format: Persistent, SAML signature element: Assertion',
      ],
      [
        'Parameters',
        'NameID value = OneLogin ID, givenName = First Name, familyName = Last Name, email = Email',
      ],
      ['SSO', 'SAML Signature Algorithm: SHA-256'],
    ],
    metadata: { name: 'Issuer URL', has: 'address' },
    provider: {},
    claims: chosenClaims,
    guide: 'connect-onelogin',
  },
  {
    key: 'ping',
    name: 'PingOne',
    at: {
      page: 'PingOne console',
      open: 'Applications, Add Application, SAML Application, Manually Enter',
    },
    entityId: 'Entity ID',
    acsUrl: 'ACS URLs',
    sets: [
      [
        'Configuration',
        'Sign Assertion, RSA_SHA256, Subject NameID Format: urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      ],
      [
        'Attribute Mappings',
        'saml_subject = User ID, givenName = Given Name, familyName = Family Name, email = Email Address',
      ],
    ],
    metadata: { name: 'IDP Metadata URL', has: 'address' },
    provider: {},
    claims: chosenClaims,
    guide: 'connect-ping',
  },
  {
    key: 'adfs',
    name: 'AD FS',
    at: {
      page: 'AD FS Management',
      open: 'Relying Party Trusts, Add Relying Party Trust, Claims aware, Enter data about the relying party manually',
    },
    entityId: 'Relying party trust identifier',
    acsUrl: 'Relying party SAML 2.0 SSO service URL',
    sets: [
      ['Configure URL', 'Enable support for the SAML 2.0 WebSSO protocol: on'],
      [
        'Edit Claim Issuance Policy, Send LDAP Attributes as Claims',
        `objectGUID = ${objectIdentifier}, E-Mail-Addresses = E-Mail Address, Given-Name = Given Name, Surname = Surname`,
      ],
    ],
    metadata: { name: 'https://{host}/FederationMetadata/2007-06/FederationMetadata.xml', has: 'address' },
    provider: subjectIn(objectIdentifier),
    claims: claimsOfMicrosoft,
    guide: 'connect-adfs',
  },
  {
    key: 'jumpcloud',
    name: 'JumpCloud',
    at: {
      page: 'JumpCloud Admin Portal',
      open: 'SSO Applications, Add New Application, Custom Application, Manage Single Sign-On (SSO), Configure SSO with SAML',
    },
    entityId: 'SP Entity ID',
    acsUrl: 'ACS URLs',
    sets: [
      ['SSO', 'IdP Entity ID: JumpCloud, Signature Algorithm: RSA-SHA256, Sign: Assertion'],
      [
        'Attributes',
        'employeeIdentifier = employeeIdentifier, givenName = firstname, familyName = lastname, email = email',
      ],
    ],
    metadata: { name: 'Copy Metadata URL', has: 'address' },
    provider: subjectIn('employeeIdentifier'),
    claims: chosenClaims,
    guide: 'connect-jumpcloud',
  },
  {
    key: 'other',
    entityId: 'Entity ID',
    acsUrl: 'Assertion Consumer Service (ACS)',
    sets: [['NameID', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent']],
    metadata: { name: 'SAML metadata', has: 'address' },
    provider: {},
    claims: chosenClaims,
    guide: 'connections-saml',
  },
];

/** The template with a key. Undefined for any other text. */
export function samlTemplateOf(key: string): SamlTemplate | undefined {
  return samlTemplates.find((template) => template.key === key);
}
