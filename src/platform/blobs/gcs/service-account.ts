import { createPrivateKey } from 'node:crypto';
import { isJsonObject } from '../../json/json-object.js';

/**
 * The identity of the service at the storage. Nothing else of a credentials file is kept, above all no
 * address.
 */
export interface ServiceAccount {
  readonly clientEmail: string;
  /** An RSA key in PEM. */
  readonly privateKey: string;
}

/** A usual file has about 2,400 bytes. */
const maxLength = 32_768;

/**
 * Reads the base64 of the JSON file of a service account. Files of any other type make client libraries read
 * local files, run programs or call addresses that the file names. They are refused before a library sees
 * them.
 * @returns the account, or what is wrong with the file as the rest of a sentence
 */
export function readServiceAccount(base64: string): ServiceAccount | string {
  if (base64.length > maxLength) return `is too long: more than ${maxLength} characters`;
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64)) return 'is not base64';
  let file: unknown;
  try {
    file = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64')));
  } catch {
    return 'is not the base64 of a JSON file';
  }
  if (!isJsonObject(file)) return 'holds no JSON object';
  const { type, client_email, private_key } = file;
  if (type !== 'service_account') return 'is not of the type service_account';
  if (typeof client_email !== 'string' || !/^[\w.+-]{1,200}@[\w.-]{1,200}$/.test(client_email)) {
    return 'has no client_email';
  }
  if (typeof private_key !== 'string' || !isRsaKey(private_key)) return 'has no readable private_key';
  return { clientEmail: client_email, privateKey: private_key };
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey({ key: pem, format: 'pem' }).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
