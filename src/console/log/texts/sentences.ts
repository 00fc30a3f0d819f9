import type { EventType } from '#src/audit/event.js';

/**
 * What happened, with places for names: `{actor}` changed it, `{subject}` is the object of the event, `{user}`, `{users}`,
 * `{application}`, `{project}` and `{organization}` are others that the event names. Any other place is a value of the payload. Of
 * two sentences the second is for people who changed themselves. `dryRun` is for the dry run of an
 * import and `verify` for a verification, whose payloads say so.
 */
export type EventSentence =
  | string
  | readonly [ofOthers: string, ofOneself: string]
  | { readonly usual: string; readonly dryRun: string; readonly verify: string };

/** A sentence for each type. A missing one is a type error. */
export type EventSentences = Readonly<Record<EventType, EventSentence>>;
