import type { User } from '#src/directory/users/user.js';
import { claimsOf, type Subject, type SubjectDeps } from './subject.js';
import { asksForOrganization, type ClaimsReader } from './user-claims.js';

/** By the person as held in memory: another object as soon as anything of it has changed. */
const texts = new WeakMap<User, Map<string, string>>();
/** Scopes that applications of two organizations ask for, of one person. */
const maxTexts = 20;

/**
 * What a client may know about the subject, as {@link claimsOf}, as JSON text. It is made once for as long as the
 * person is the same: making and writing it takes longer than all the rest of an introspection.
 */
export async function claimsText(deps: SubjectDeps, subject: Subject, reader: ClaimsReader): Promise<string> {
  const { scope, clientOrgId } = reader;
  // An organization changes without its people.
  if (subject.kind === 'serviceUser' || asksForOrganization(scope)) {
    return JSON.stringify(await claimsOf(deps, subject, reader));
  }
  const { user } = subject;
  const key = `${clientOrgId} ${scope}`;
  const known = texts.get(user)?.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(await claimsOf(deps, subject, reader));
  const ofUser = texts.get(user) ?? new Map<string, string>();
  if (ofUser.size < maxTexts) texts.set(user, ofUser.set(key, text));
  return text;
}

/** One JSON object of two, none of whose members has the name of another. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}
