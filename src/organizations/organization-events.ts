import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import type { FactorDemand, Organization, SignInPolicy } from '#src/directory/index.js';

/** A policy as events tell it. A demand is a text, such as `groups g1, g2: acr 2 from 2026-12-01`. */
export function policyInWords({ demands, ...policy }: SignInPolicy) {
  return { ...policy, ...(demands && { demands: demands.map(demandInWords) }) };
}

function demandInWords({ of, groups = [], acr, from }: FactorDemand): string {
  const whom = groups.length === 0 ? of : `${of} ${groups.join(', ')}`;
  return `${whom}: acr ${acr} from ${from}`;
}

/** Returns one event of an organization. Its sequence is the version of the organization, its date the last change. */
export function organizationEvent(
  type: EventType,
  { id, version: sequence, lastModified: date }: Organization,
  { editor, payload }: { editor: Editor; payload: Record<string, unknown> },
): Event {
  return newEvent(type, { aggregate: 'org', id, orgId: id, editor, sequence, date, payload });
}
