import type { EventsStore } from '#src/audit/events.store.js';
import type { User } from '#src/directory/index.js';
import type { HumanUserInput } from '../read/human-user-input.js';
import { unmentioned } from './merged-profile.js';

/** The latest changes of a user in which an attribute is looked for. */
const mostChanges = 100;

/**
 * The paths of stated attributes that the record lacks and the user lost in the source. A value that the source never had stays: the latest
 * change that names the attribute was made here, or no import brought the user.
 */
export async function emptiedPaths(
  { events }: { readonly events: Pick<EventsStore, 'search'> },
  user: User,
  { input, stated }: { readonly input: HumanUserInput; readonly stated: ReadonlySet<string> | undefined },
): Promise<ReadonlySet<string>> {
  const missing = stated === undefined ? [] : unmentioned(user, input, stated);
  if (missing.length === 0) return new Set();
  const changes = await events.search({
    aggregateId: user.id,
    eventTypes: ['user.human.added', 'user.human.changed'],
    limit: mostChanges,
    ascending: false,
  });
  const isFromSource = (attribute: string) => {
    const latest = changes.find(
      ({ type, payload }) => type === 'user.human.added' || names(payload, attribute),
    );
    return latest?.editor.service === 'import';
  };
  return new Set(missing.filter(({ attribute }) => isFromSource(attribute)).map(({ path }) => path));
}

/** Whether a change names an attribute. */
function names(payload: Readonly<Record<string, unknown>> | undefined, attribute: string): boolean {
  const attributes = payload?.['attributes'];
  return Array.isArray(attributes) && attributes.includes(attribute);
}
