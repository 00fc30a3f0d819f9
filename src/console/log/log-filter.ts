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
}

/** A condition that cannot be met: nobody has the name, or a name was typed without an organization. */
export type Unmet = { readonly unknown: string } | { readonly needsOrganization: true };

const names = ['person', 'actor', 'type', 'since', 'until', 'org'] as const;
/** No login name, address or identifier is longer. */
const maxText = 200;

/** Reads the filter of the query. Longer texts are cut. */
export function readFilter(visit: Pick<ConsoleVisit, 'request'>): LogFilter {
  const [person = '', actor = '', type = '', since = '', until = '', org = ''] = names.map((name) =>
    queryText(visit, name).trim().slice(0, maxText),
  );
  return { person, actor, type, since, until, org };
}

/** The conditions for `POST /admin/v1/events/_search`. Login names become identifiers. */
export async function conditionsOf(
  visit: Pick<ConsoleVisit, 'api'>,
  filter: LogFilter,
  orgId: string | undefined,
): Promise<{ conditions: Record<string, unknown> } | Unmet> {
  const resourceOwner = orgId ?? (filter.org === '' ? undefined : filter.org);
  const [about, by] = await Promise.all(
    [filter.person, filter.actor].map((text) => identifierOf(visit, text, resourceOwner)),
  );
  for (const found of [about, by]) if (typeof found === 'object') return found;
  const range = {
    ...withTime('since', filter.since, ':00.000Z'),
    ...withTime('until', filter.until, ':59.999Z'),
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

/** A time of a browser has minutes and no zone. It counts as UTC, as every time of the page does. */
function withTime(name: 'since' | 'until', text: string, rest: string): Record<string, string> {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}${rest}`))
    ? { [name]: `${text}${rest}` }
    : {};
}

const anIdentifier = /^([0-9a-f]{8}-[0-9a-f-]{27}|\d{6,}|\*|muster|muster-init)$/i;

async function identifierOf(
  { api }: Pick<ConsoleVisit, 'api'>,
  text: string,
  orgId: string | undefined,
): Promise<string | Unmet | undefined> {
  if (text === '' || anIdentifier.test(text)) return text === '' ? undefined : text;
  if (orgId === undefined || orgId === '*') return { needsOrganization: true };
  const value = JSON.stringify(text);
  const { Resources = [] } = await api.get<{ Resources?: { id: string }[] }>(
    `/scim/v2/${segmentOf(orgId)}/Users`,
    { filter: `userName eq ${value} or emails.value eq ${value}`, count: 1, attributes: 'id' },
  );
  // Imported identifiers have any form. Nobody has this login name, so it may be one.
  return Resources[0]?.id ?? (/[@\s]/.test(text) ? { unknown: text } : text);
}
