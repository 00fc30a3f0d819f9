import { scopeToConsent } from '#src/authorization/requested-claims.js';
import type { User } from '#src/directory/users/user.js';
import { claimsOf, type Subject, type SubjectDeps } from './subject.js';
import { asksForOrganization, type ClaimsReader } from './user-claims.js';

/** By the cached user. Any change of the user makes it another object. */
const texts = new WeakMap<User, Map<string, string>>();
/**
 * The most texts of one person. Different scopes, and applications of other organizations, have different
 * texts.
 */
const maxTexts = 20;

/**
 * The claims of {@link claimsOf} as JSON text. The text is cached with the person, because making and
 * serializing it takes longer than all the rest of an introspection.
 */
export async function claimsText(deps: SubjectDeps, subject: Subject, reader: ClaimsReader): Promise<string> {
  const { clientOrgId, groupsClaim = 'names', claims = [] } = reader;
  const scope = scopeToConsent(reader.scope, claims);
  // An organization may change while its people stay the same.
  if (subject.kind === 'serviceUser' || asksForOrganization(scope)) {
    return JSON.stringify(await claimsOf(deps, subject, reader));
  }
  const { user } = subject;
  const key = [clientOrgId, groupsClaim, reader.scope, ...claims].join('\n');
  const known = texts.get(user)?.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(await claimsOf(deps, subject, reader));
  const ofUser = texts.get(user) ?? new Map<string, string>();
  if (ofUser.size < maxTexts) texts.set(user, ofUser.set(key, text));
  return text;
}

/** Joins the texts of two JSON objects without common members into one object. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}
