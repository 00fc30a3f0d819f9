import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newId } from '#src/platform/ids.js';
import type { Application } from './application.js';

/** What happened, and what is to be said of it. */
export type Happening = readonly [type: EventType, payload: Record<string, unknown>];

/** Events of an application that ends up as given: the last has its version, each earlier one less. */
export function applicationEvents(
  { id, orgId, version, lastModified }: Pick<Application, 'id' | 'orgId' | 'version' | 'lastModified'>,
  happened: readonly Happening[],
  editor: Editor,
): Event[] {
  return happened.map(([type, payload], index) => ({
    id: newId(),
    type,
    aggregate: { id, type: 'application', resourceOwner: orgId },
    editor,
    sequence: version - happened.length + index + 1,
    creationDate: lastModified,
    payload,
  }));
}
