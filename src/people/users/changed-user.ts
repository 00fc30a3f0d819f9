import type { Editor, Event, EventType } from '#src/audit/event.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import { foldCase, primaryEmail, type User, type UserProfile } from '#src/directory/index.js';
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
  /** Whether the person is not told of the credentials, because nothing changes for it. */
  readonly isUntold?: boolean;
}

/**
 * Returns the user after the change, and its events. Each event increments the version. Without events, at most what a client gave
 * (`display-name.ts`) differs.
 */
export function changedUser(
  current: User,
  profile: UserProfile,
  { credentials, now, lastModified = now, editor, isUntold = false }: UserStep,
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
  const events = newEvents('user', { ...user, lastModified: now }, { happened, editor });
  return { user, events: events.map((event) => withNotice(event, { current, profile, isUntold })) };
}

/** Says in an event of a change what the person is told beside it: that the primary address was replaced. */
function withNotice(event: Event, change: { current: User; profile: UserProfile; isUntold: boolean }): Event {
  const { current, profile, isUntold } = change;
  if (event.type === 'user.human.password.changed') return isUntold ? { ...event, notice: 'none' } : event;
  if (event.type !== 'user.human.changed') return event;
  const former = primaryEmail(current);
  const next = primaryEmail(profile);
  if (former === undefined || (next !== undefined && foldCase(next.value) === foldCase(former.value)))
    return event;
  // Nobody reads the mail of an address that nobody proved.
  return former.verified === false ? event : { ...event, notice: { formerEmail: former.value } };
}
