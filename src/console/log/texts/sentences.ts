import type { EventType } from '#src/audit/event.js';

/**
 * What happened, with places for names: `{actor}` changed it, `{subject}` is the object of the event, `{user}`, `{users}`,
 * `{application}`, `{project}` and `{organization}` are others that the event names. Any other place is a value of the payload. Of
 * two sentences the second is for people who changed themselves. `verify` is for a verification, whose payload says so.
 */
export type EventSentence =
  | string
  | readonly [ofOthers: string, ofOneself: string]
  | { readonly usual: string; readonly verify: string };

/** A sentence for each type. A missing one is a type error. */
export type EventSentences = Readonly<Record<EventType, EventSentence>>;
