import { inflateRawSync } from 'node:zlib';
import { ProviderFailure } from '../provider/provider-failure.js';

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the text of a message of a provider.
 * @param message base64, with or without line breaks
 * @param bounds `most`: the most bytes of its text. `isDeflated`: it is compressed, as in HTTP-Redirect (SAML Bindings section 3.4.4.1)
 * @throws ProviderFailure `answerInvalid`
 */
export function decodeMessage(
  message: string,
  { most, isDeflated = false }: { most: number; isDeflated?: boolean },
): string {
  const compact = message.replace(/[\r\n]/g, '');
  if (!base64.test(compact)) throw invalid('is no base64');
  const given = Buffer.from(compact, 'base64');
  const bytes = isDeflated ? inflated(given, most) : given;
  if (bytes.length > most) throw invalid(`has more than ${most} bytes`);
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('is no UTF-8');
  }
}

function inflated(bytes: Buffer, most: number): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: most });
  } catch {
    throw invalid(`is not compressed, or has more than ${most} bytes`);
  }
}

function invalid(what: string): ProviderFailure {
  return new ProviderFailure('answerInvalid', `The message of the provider ${what}`);
}
