import { hashSecret, sameSecretHash } from '#src/keys/secret-hash.js';
import { OAuthError } from '../protocol/oauth-error.js';

/** RFC 7636 section 4.1. */
const verifierSyntax = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Verifies that the client that redeems a code is the one that asked for it (RFC 7636 section 4.6). A
 * verifier without a challenge is refused too, because an attacker may have removed the challenge from the
 * authorization request (RFC 9700 section 4.8.2).
 * @throws OAuthError `invalid_grant`
 */
export function verifyCodeVerifier({
  challenge,
  verifier,
  required,
}: {
  challenge: string | undefined;
  verifier: string | undefined;
  /** Public clients have no other proof. */
  required: boolean;
}): void {
  if (challenge === undefined) {
    if (required) throw new OAuthError('invalid_grant', 'The code was issued without a code_challenge');
    if (verifier !== undefined) throw new OAuthError('invalid_grant', 'The code has no code_challenge');
    return;
  }
  if (verifier === undefined) throw new OAuthError('invalid_grant', 'The code_verifier is missing');
  if (!verifierSyntax.test(verifier) || !sameSecretHash(hashSecret(verifier), challenge)) {
    throw new OAuthError('invalid_grant', 'The code_verifier does not match');
  }
}
