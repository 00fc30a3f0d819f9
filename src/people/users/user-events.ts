import { keptChanges } from '#src/audit/changes.js';
import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newEvent, type Versioned } from '#src/audit/new-event.js';
import type { User, UserProfile } from '#src/directory/index.js';
import { shownFormatted } from './display-name.js';

/** Returns the event of a user that was added. */
export function userAdded(user: User, editor: Editor): Event {
  const email = user.emails.find((candidate) => candidate.primary)?.value;
  return userEvent('user.human.added', user, editor, {
    userName: user.userName,
    displayName: user.displayName,
    ...(email !== undefined && { email }),
    ...(user.externalId !== undefined && { externalId: user.externalId }),
    active: user.active,
  });
}

/** Returns one event of a user. Its sequence is the version of the user, its date the last change. */
export function userEvent(
  type: EventType,
  { id, orgId, version: sequence, lastModified: date }: Versioned,
  editor: Editor,
  payload?: Record<string, unknown>,
): Event {
  return newEvent(type, {
    aggregate: 'user',
    id,
    orgId,
    editor,
    sequence,
    date,
    ...(payload && { payload }),
  });
}

/**
 * What a change was of the values that `user.human.added` tells too: they say who the person is, and where its links go. Events contain no other
 * value of a profile.
 * @param attributes those that differ
 */
export function toldChanges(
  before: UserProfile,
  after: UserProfile,
  attributes: readonly string[],
): ReturnType<typeof keptChanges> {
  if (!attributes.some((name) => toldNames.has(name))) return {};
  return keptChanges(toldOf(before), toldOf(after), ['userName', 'displayName', 'email', 'externalId']);
}

const toldNames: ReadonlySet<string> = new Set(['userName', 'displayName', 'emails', 'externalId']);

function toldOf({ userName, displayName, emails, externalId }: UserProfile) {
  return { userName, displayName, externalId, email: emails.find(({ primary }) => primary)?.value };
}

/**
 * Returns the names of the profile attributes that differ as clients see them. Events do not contain the values. Whether a
 * client gave the displayName is no attribute.
 */
export function changedAttributes(before: UserProfile, after: UserProfile): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof UserProfile>;
  return [...names]
    .filter((name) => !unchangedNames.has(name))
    .filter((name) => (name === 'name' ? !sameName(before, after) : !sameValue(before[name], after[name])))
    .sort();
}

/**
 * The attributes of a profile for a digest: those that {@link changedAttributes} compares, and `preferredLanguageGiven`. Profiles without
 * differences have equal values here. `name.formatted` is as clients see it.
 */
export function comparedAttributes(profile: UserProfile): Readonly<Partial<UserProfile>> {
  const attributes: Record<string, unknown> = {};
  for (const name of Object.keys(profile) as (keyof UserProfile)[]) {
    if (!undigestedNames.has(name)) attributes[name] = profile[name];
  }
  const name = { ...profile.name };
  const formatted = shownFormatted(profile);
  if (formatted !== undefined) name.formatted = formatted;
  attributes['name'] = name;
  return attributes;
}

/** Compares `formatted` as clients see it, so that no change is reported when a client sends back what it saw. */
function sameName(before: UserProfile, after: UserProfile): boolean {
  const { formatted: formattedBefore, ...partsBefore } = before.name;
  const { formatted: formattedAfter, ...partsAfter } = after.name;
  if (!sameValue(partsBefore, partsAfter)) return false;
  return formattedBefore === formattedAfter || shownFormatted(before) === shownFormatted(after);
}

/** Fields of a user that are in no digest. */
const undigestedNames = new Set<string>([
  'id',
  'orgId',
  'version',
  'created',
  'imported',
  'lastModified',
  'loginNamesSince',
  'displayNameGiven',
  'externalIdUnique',
]);

/** Fields of a user that no client writes. */
const unchangedNames = new Set<string>([...undigestedNames, 'preferredLanguageGiven']);

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keysOfA = Object.keys(a);
  if (keysOfA.length !== Object.keys(b).length) return false;
  return keysOfA.every((key) =>
    sameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
