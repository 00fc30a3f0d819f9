/** English. */
export const en = {
  notHttps: 'The address is no https address. Muster speaks with providers by https alone.',
  privateAddress:
    'The host has a private address. The operator of Muster can allow it by MUSTER_PRIVATE_PROVIDER_HOSTS.',
  unknownHost: 'The host does not exist. Compare its name letter by letter.',
  unresolvedHost: 'No name server tells the address of the host. Try again shortly.',
  unreachable:
    'The host does not answer. Is the provider running, and may Muster reach it through the firewall?',
  untrusted:
    'The certificate of the host is not trusted. It has expired, is for another host, or is of an authority that Muster does not know.',
  tooSlow: 'The provider takes longer than five seconds. Try again shortly.',
  wrongStatus: 'At this address is no such document. Compare the address letter by letter.',
  tooLarge: 'The document at this address is too large.',
  notJson: 'The document at this address is no JSON.',
  discoveryMissing:
    'At this address is no discovery document of OpenID Connect. Compare the issuer letter by letter.',
  githubMissing:
    'At this address is no GitHub. Compare the host letter by letter: it is github.com, acme.ghe.com, or that of your server.',
  issuerDiffers:
    'The discovery document names another issuer. Copy the issuer exactly as it stands there, with or without the slash at its end.',
  addressMissing: 'The discovery document lacks an address that is needed, or has one that is not https.',
  keysMissing: 'The provider publishes no key that can be used. Look at its key set (jwks_uri).',
  metadataBroken:
    'The metadata is no well-formed XML, or has a declaration that is not allowed. Copy it as a whole.',
  providerMissing: 'The metadata describes no provider of SAML. Perhaps it is that of an application.',
  severalProviders: 'The metadata describes several providers. Use that of one.',
  protocolDiffers: 'The metadata is of another protocol than SAML 2.0.',
  outOfDate: 'The metadata is out of date (validUntil). Fetch it anew.',
  incomplete: 'The metadata lacks the entity ID, an address to sign in, or a certificate.',
  certificatesUnusable: 'The metadata has no certificate of an RSA key of 2048 to 8192 bits.',
  providerDiffers: 'The metadata is of another provider than that of the connection.',
  busy: 'Too many providers are read at this moment. Try again shortly.',
};

/** Why a provider cannot be used, and what to do. */
export type UnusableReasons = { readonly [Key in keyof typeof en]: string };
