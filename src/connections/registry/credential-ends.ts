import { X509Certificate } from 'node:crypto';
import type { Connection } from './connection.js';

/** How long before its end a secret or certificate is told, in milliseconds. */
export const toldBeforeMs = 30 * 24 * 3_600_000;

/** What is told of the end of a credential. */
export type EndNote = `${'secret' | 'certificate'}${'Ended' | 'EndsSoon'}`;

/** When the credential of a connection ends, and what to tell of it. Undefined if it lasts longer than is told. */
export function endNoteOf(connection: Connection, now: Date): { ends: Date; note: EndNote } | undefined {
  const ends = credentialEndsOf(connection);
  if (ends === undefined || ends.getTime() - now.getTime() > toldBeforeMs) return undefined;
  const kind = connection.protocol === 'saml' ? 'certificate' : 'secret';
  return { ends, note: `${kind}${ends <= now ? 'Ended' : 'EndsSoon'}` };
}

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
