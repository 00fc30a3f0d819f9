type Claims = Readonly<Record<string, unknown>>;

/** Claims about a sign-in, and not about the person: when, how, for whom and in which session. Only the signed ID token says them. */
const ofSignIn: ReadonlySet<string> = new Set([
  ...['iss', 'aud', 'azp', 'exp', 'iat', 'nbf', 'nonce', 'at_hash'],
  ...['acr', 'amr', 'auth_time', 'sid', 'session_expiry', 'tid', 'hd'],
]);

/**
 * Returns the claims of an ID token with those that it lacks from the UserInfo endpoint (OpenID Connect Core section 5.3.2). What is signed counts
 * where both speak. At some providers people write attributes of UserInfo themselves, so it adds nothing about the sign-in. That an address is
 * verified is said of the address beside it, and of no other.
 */
export function withUserInfo(signed: Claims, more: Claims): Claims {
  const about = Object.entries(more).filter(([name]) => !ofSignIn.has(name));
  return {
    ...Object.fromEntries(about),
    ...signed,
    email_verified: isVerified(signed, more),
  };
}

function isVerified(signed: Claims, more: Claims): unknown {
  const { email, email_verified: said } = signed;
  const isOfMore = email === undefined || email === more['email'];
  if (said === undefined) return isOfMore ? more['email_verified'] : undefined;
  // The ID token has the flag without its address.
  return email === undefined && said === true ? more['email_verified'] : said;
}
