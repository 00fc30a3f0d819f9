import { assumedTimeZone, clockText, momentAt, readTimeZone } from '#src/http/base/local-time.js';
import { zoneFieldName } from '#src/http/pages/moment.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { typesOf } from './topics.js';

/** What the person asked of the log, as it was typed. */
export interface LogFilter {
  readonly person: string;
  readonly actor: string;
  readonly type: string;
  readonly since: string;
  readonly until: string;
  readonly org: string;
  /** The zone of the times: '' if neither the profile nor the address has one. */
  readonly zone: string;
}

/** Somebody whose name begins with what was typed. */
interface Named {
  readonly id: string;
  readonly displayName: string;
  readonly userName: string;
}

/** A condition that cannot be met: nobody or several people have the name, or a name was typed without an organization. */
export type Unmet =
  | { readonly unknown: string }
  | { readonly needsOrganization: true }
  | { readonly several: readonly Named[]; readonly field: 'person' | 'actor' };

/** How many people a search offers. */
const offered = 10;

const names = ['person', 'actor', 'type', 'since', 'until', 'org', zoneFieldName] as const;
/** No login name, address or identifier is longer. */
const maxText = 200;

/** Reads the filter of the query. Longer texts are cut. */
export function readFilter(visit: Pick<ConsoleVisit, 'request' | 'timeZone'>): LogFilter {
  const [person = '', actor = '', type = '', since = '', until = '', org = '', named = ''] = names.map(
    (name) => queryText(visit, name).trim().slice(0, maxText),
  );
  const zone = readTimeZone(named) ?? '';
  const times = {
    since: timeForReader(since, zone, visit.timeZone),
    until: timeForReader(until, zone, visit.timeZone),
  };
  return { person, actor, type, org, ...times, zone: visit.timeZone ?? zone };
}

/** A time of the address, which a person of another zone may have sent, as the clocks of this person show it. */
function timeForReader(text: string, zone: string, readerZone: string | undefined): string {
  if (readerZone === undefined || zone === '' || zone === readerZone) return text;
  const moment = momentAt(text, { timeZone: zone, edge: 'first' });
  return moment === undefined ? text : clockText(moment, readerZone);
}

/** The conditions for `POST /admin/v1/events/_search`. Login names become identifiers. */
export async function conditionsOf(
  visit: Pick<ConsoleVisit, 'api'>,
  filter: LogFilter,
  orgId: string | undefined,
): Promise<{ conditions: Record<string, unknown> } | Unmet> {
  const resourceOwner = orgId ?? (filter.org === '' ? undefined : filter.org);
  const [about, by] = await Promise.all(
    (['person', 'actor'] as const).map((name) => identifierOf(visit, { filter, name }, resourceOwner)),
  );
  for (const found of [about, by]) if (typeof found === 'object') return found;
  const range = {
    ...withTime('since', filter),
    ...withTime('until', filter),
  };
  const eventTypes = typesOf(filter.type);
  return {
    conditions: {
      ...(resourceOwner !== undefined && { resourceOwner }),
      ...(about !== undefined && { aggregateId: about }),
      ...(by !== undefined && { editorUserId: by }),
      ...(eventTypes && { eventTypes }),
      ...(Object.keys(range).length > 0 && { range }),
    },
  };
}

/** A time of a browser has minutes and no zone. A search reaches to the end of the last minute, and finds an hour that was there twice. */
function withTime(name: 'since' | 'until', filter: LogFilter): Record<string, string> {
  const isFirst = name === 'since';
  const moment = momentAt(filter[name], {
    timeZone: filter.zone || assumedTimeZone,
    edge: isFirst ? 'first' : 'last',
  });
  if (moment === undefined || moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9998) return {};
  return { [name]: new Date(moment.getTime() + (isFirst ? 0 : 59_999)).toISOString() };
}

const anIdentifier = /^([0-9a-f]{8}-[0-9a-f-]{27}|\d{6,}|\*|muster|muster-init)$/i;

/** Finds one person by the login name or address, or else by a name, as the list of users does. */
async function identifierOf(
  { api }: Pick<ConsoleVisit, 'api'>,
  { filter, name }: { filter: LogFilter; name: 'person' | 'actor' },
  orgId: string | undefined,
): Promise<string | Unmet | undefined> {
  const text = filter[name];
  if (text === '' || anIdentifier.test(text)) return text === '' ? undefined : text;
  if (orgId === undefined || orgId === '*') return { needsOrganization: true };
  const value = JSON.stringify(text);
  const org = segmentOf(orgId);
  const [{ Resources = [] }, { items }] = await Promise.all([
    api.get<{ Resources?: { id: string }[] }>(`/scim/v2/${org}/Users`, {
      ...{ filter: `userName eq ${value} or emails.value eq ${value}`, count: 1, attributes: 'id' },
    }),
    api.get<{ items: Named[] }>(`/admin/v1/orgs/${org}/users`, { search: text, limit: offered }),
  ]);
  const [exact] = Resources;
  if (exact !== undefined) return exact.id;
  if (items.length > 1) return { several: items, field: name };
  // Imported identifiers have any form. Nobody has this name, so it may be one.
  return items[0]?.id ?? (/[@\s]/.test(text) ? { unknown: text } : text);
}
