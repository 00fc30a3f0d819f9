import { X509Certificate } from 'node:crypto';
import type { Connection } from './connection.js';

/**
 * When the connection stops working unless somebody renews something: the end of its client secret, as an administrator said, or of the last certificate
 * of its provider. Undefined if nobody said, or nothing ends.
 */
export function credentialEndsOf(connection: Connection): Date | undefined {
  if (connection.protocol === 'oidc') return connection.secretEnds;
  const ends = connection.provider.certificates.flatMap(endOf);
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
}

/** A certificate that cannot be read has no end. The rules for connections refuse it. */
function endOf(pem: string): number[] {
  try {
    return [Date.parse(new X509Certificate(pem).validTo)];
  } catch {
    return [];
  }
}
