import { selectionKey } from '#src/access/projects/index.js';
import {
  type ClaimSources,
  claimSourcesOf,
  claimsFrom,
  groupSelection,
  type Subject,
  type SubjectDeps,
} from './subject.js';
import type { ClaimsReader } from './user-claims.js';

/** A text, and what it was made of. */
interface KnownText {
  readonly sources: ClaimSources;
  readonly text: string;
}

/** By the cached user. Any change of it makes it another object. */
const texts = new WeakMap<object, Map<string, KnownText>>();
/**
 * The most texts of one person. Different scopes, and applications of other organizations, have different
 * texts.
 */
const maxTexts = 20;

/**
 * The claims of `claimsOf` as JSON text. The text is cached with the person, because making and
 * serializing it takes longer than all the rest of an introspection.
 */
export async function claimsText(deps: SubjectDeps, subject: Subject, reader: ClaimsReader): Promise<string> {
  const sources = await claimSourcesOf(deps, subject, reader);
  const { user } = subject;
  const { clientOrgId, groupsClaim, projectId, claims = [] } = reader;
  // Only the roles in projects depend on the audience and the project of the client.
  const rolesFor = sources.projectRoles && [projectId, ...reader.audience].join(' ');
  const groupsFor = sources.groups && `${groupsClaim?.groupsClaim} ${selectionKey(groupSelection(reader))}`;
  const key = [clientOrgId, groupsFor, reader.scope, rolesFor, ...claims].join('\n');
  const known = texts.get(user)?.get(key);
  if (known !== undefined && isSame(known.sources, sources)) return known.text;
  const text = JSON.stringify(claimsFrom(sources, subject, reader));
  const textsOfUser = texts.get(user) ?? new Map<string, KnownText>();
  if (textsOfUser.size < maxTexts || textsOfUser.has(key))
    texts.set(user, textsOfUser.set(key, { sources, text }));
  return text;
}

function isSame(before: ClaimSources, now: ClaimSources): boolean {
  return (
    before.organization === now.organization &&
    before.groups === now.groups &&
    before.projectRoles === now.projectRoles
  );
}

/** Joins the texts of two JSON objects without common members into one object. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}
