import { SAML } from '@node-saml/node-saml';

/**
 * Whether `@node-saml/node-saml` takes a response of which these parts are signed. It verifies in its own way: by `xmldom`, XPath and
 * `SignedXml`.
 * @returns the name of the person whom it reads. Undefined if it refuses
 */
export async function libraryVerdict(
  xml: string,
  of: {
    certificates: readonly string[];
    signed: { readonly response: boolean; readonly assertion: boolean };
    privateKey?: string;
  },
): Promise<string | undefined> {
  const saml = new SAML({
    callbackUrl: 'https://muster.example/acs',
    issuer: 'https://muster.example/metadata',
    idpCert: [...of.certificates],
    wantAuthnResponseSigned: of.signed.response,
    wantAssertionsSigned: of.signed.assertion,
    ...(of.privateKey !== undefined && { decryptionPvk: of.privateKey }),
    audience: false,
    acceptedClockSkewMs: -1,
  });
  try {
    const SAMLResponse = Buffer.from(xml).toString('base64');
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    return profile?.nameID;
  } catch {
    return undefined;
  }
}
