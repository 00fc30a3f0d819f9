import { ProviderFailure } from '../provider/provider-failure.js';
import { decryptXml } from './saml-library.js';
import { namespaces } from './saml-names.js';
import { allIn, attributeValue, childrenOf, textOnly, type XmlElement } from './xml-tree.js';

const { encryption, signature } = namespaces;

/** RSA with PKCS #1 v1.5 is not among them: answers to it tell an attacker what was encrypted. */
const keyAlgorithms = [`${encryption}rsa-oaep-mgf1p`];
const dataAlgorithms = [
  `${encryption}aes128-cbc`,
  `${encryption}aes256-cbc`,
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
];

/**
 * Opens an `EncryptedAssertion` that has its key in it. Every failure of the decryption reads the same, so that answers do not tell which
 * step failed.
 * @returns the text in it, which anybody could have encrypted
 * @throws ProviderFailure `answerInvalid`, `undecryptable`
 */
export async function openEncrypted(encrypted: XmlElement, privateKey: string | undefined): Promise<string> {
  if (privateKey === undefined)
    throw new ProviderFailure('secretMissing', 'The connection has no key that opens encrypted assertions');
  const data = only(encrypted, encryption, 'EncryptedData');
  const key = only(only(data, signature, 'KeyInfo'), encryption, 'EncryptedKey');
  const ciphers = [...allIn(encrypted)].filter(
    ({ name }) => name === 'CipherValue' || name === 'EncryptionMethod',
  );
  if (encrypted.children.length !== 1 || ciphers.length !== 4) throw misshapen();
  const [dataMethod, keyMethod] = [methodOf(data, dataAlgorithms), methodOf(key, keyAlgorithms)];
  const [dataValue, keyValue] = [cipherValue(data), cipherValue(key)];
  // The library gets these four values alone, in a document that has no other ones.
  const text = `<EncryptedData xmlns="${encryption}"><EncryptionMethod Algorithm="${dataMethod}"/><KeyInfo xmlns="${signature}"><EncryptedKey xmlns="${encryption}"><EncryptionMethod Algorithm="${keyMethod}"/><CipherData><CipherValue>${keyValue}</CipherValue></CipherData></EncryptedKey></KeyInfo><CipherData><CipherValue>${dataValue}</CipherValue></CipherData></EncryptedData>`;
  try {
    return await decryptXml(text, privateKey);
  } catch {
    throw new ProviderFailure(
      'undecryptable',
      'The encrypted assertion cannot be opened with the key of the connection',
    );
  }
}

function methodOf(element: XmlElement, permitted: readonly string[]): string {
  const algorithm = attributeValue(only(element, encryption, 'EncryptionMethod'), 'Algorithm') ?? '';
  if (permitted.includes(algorithm)) return algorithm;
  throw new ProviderFailure(
    'undecryptable',
    'The assertion is encrypted with an algorithm that does not count here',
  );
}

function cipherValue(element: XmlElement): string {
  const value = textOnly(only(only(element, encryption, 'CipherData'), encryption, 'CipherValue')) ?? '';
  const compact = value.replace(/\s/g, '');
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return compact;
  throw misshapen();
}

function only(element: XmlElement, namespace: string, name: string): XmlElement {
  const [found, ...others] = childrenOf(element, namespace, name);
  if (found === undefined || others.length > 0) throw misshapen();
  return found;
}

function misshapen(): ProviderFailure {
  return new ProviderFailure(
    'answerInvalid',
    'The encrypted assertion has another form than one with its key in it',
  );
}
