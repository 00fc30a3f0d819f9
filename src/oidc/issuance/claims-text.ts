import { scopeToConsent } from '#src/authorization/requested-claims.js';
import { parseScope } from '#src/authorization/scope.js';
import { claimsOf, type Subject, type SubjectDeps } from './subject.js';
import { type ClaimsReader, needsOrganization } from './user-claims.js';

/** By the cached user, or by the groups of the user if they are claims. Any change makes it another object. */
const texts = new WeakMap<object, Map<string, string>>();
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
  if (subject.kind === 'serviceUser' || needsOrganization(scope)) {
    return JSON.stringify(await claimsOf(deps, subject, reader));
  }
  const { user } = subject;
  const key = [clientOrgId, groupsClaim, reader.scope, ...claims].join('\n');
  const holder = parseScope(scope).known.includes('groups') ? await deps.userGroups.of(user) : user;
  const known = texts.get(holder)?.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(await claimsOf(deps, subject, reader));
  const kept = texts.get(holder) ?? new Map<string, string>();
  if (kept.size < maxTexts) texts.set(holder, kept.set(key, text));
  return text;
}

/** Joins the texts of two JSON objects without common members into one object. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}
