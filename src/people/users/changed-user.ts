import type { Editor, Event, EventType } from '#src/audit/event.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import type { User, UserProfile } from '#src/directory/index.js';
import { loginNamesSinceChange } from './login-names.js';
import { changedAttributes, toldChanges } from './user-events.js';

/** A change of a user beside its profile. */
interface UserStep {
  /** The events of the credentials that change. */
  readonly credentials: readonly EventType[];
  readonly now: Date;
  /** Instead of `now`: when the user was changed elsewhere. The events have the time `now`. */
  readonly lastModified?: Date;
  readonly editor: Editor;
}

/**
 * Returns the user after the change, and its events. Each event increments the version. Without events, at most what a client gave
 * (`display-name.ts`) differs.
 */
export function changedUser(
  current: User,
  profile: UserProfile,
  { credentials, now, lastModified = now, editor }: UserStep,
): { user: User; events: Event[] } {
  const attributes = changedAttributes(current, profile).filter((name) => name !== 'active');
  const happened: Happening[] = [];
  if (attributes.length > 0) {
    happened.push(['user.human.changed', { attributes, ...toldChanges(current, profile, attributes) }]);
  }
  for (const type of credentials) happened.push([type, {}]);
  if (profile.active !== current.active) {
    happened.push([profile.active ? 'user.reactivated' : 'user.deactivated', {}]);
  }
  if (happened.length === 0) {
    const { displayNameGiven: _name, preferredLanguageGiven: _language, ...others } = current;
    const { name, displayNameGiven, preferredLanguageGiven } = profile;
    const given = {
      ...(displayNameGiven && { displayNameGiven }),
      ...(preferredLanguageGiven && { preferredLanguageGiven }),
    };
    return { user: { ...others, name, ...given }, events: [] };
  }
  const { id, orgId, created, imported, version } = current;
  const loginNamesSince = loginNamesSinceChange(current, profile, now);
  const user: User = {
    ...profile,
    id,
    orgId,
    created,
    ...(imported && { imported }),
    version: version + happened.length,
    lastModified,
    ...(loginNamesSince && { loginNamesSince }),
  };
  return { user, events: newEvents('user', { ...user, lastModified: now }, { happened, editor }) };
}
