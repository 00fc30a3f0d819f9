import { newId } from '#src/platform/ids.js';
import type { AggregateType, Editor, Event, EventType } from './event.js';

/** The owner of an aggregate that belongs to no organization. No organization can have this identifier. */
const instance = '*';

/** What happened, and what the event says about it. */
export type Happening = readonly [type: EventType, payload: Record<string, unknown>];

/** An object whose changes are events: its version is the sequence of the last event, its last change the date. */
export interface Versioned {
  readonly id: string;
  readonly orgId: string;
  readonly version: number;
  readonly lastModified: Date;
}

/** Makes an event. */
export function newEvent(
  type: EventType,
  about: {
    readonly aggregate: AggregateType;
    readonly id: string;
    /** Absent: the aggregate belongs to the instance. */
    readonly orgId?: string | undefined;
    readonly editor: Editor;
    /** Version of the aggregate after the change. */
    readonly sequence: number;
    readonly date: Date;
    readonly payload?: Record<string, unknown>;
  },
): Event {
  const { aggregate, id, orgId = instance, editor, sequence, date, payload = {} } = about;
  return {
    id: newId(),
    type,
    aggregate: { id, type: aggregate, resourceOwner: orgId },
    editor,
    sequence,
    creationDate: date,
    payload,
  };
}

/** Makes the events of several steps of one change. The last event has the version, each earlier event one less. */
export function newEvents(
  aggregate: AggregateType,
  { id, orgId, version, lastModified: date }: Versioned,
  { happened, editor }: { happened: readonly Happening[]; editor: Editor },
): Event[] {
  const before = version - happened.length;
  return happened.map(([type, payload], index) =>
    newEvent(type, { aggregate, id, orgId, editor, sequence: before + index + 1, date, payload }),
  );
}
