import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { isDotSegment, pathSegment } from '#src/platform/path-segment.js';
import { StartError } from '#src/platform/start-error.js';
import type { SourceGroup, SourceVisitor } from '../mapping/people-format.js';
import { requireId } from '../reading/check-item.js';
import { memberKey } from '../reading/member-key.js';
import { ConversionError, textOf } from '../reading/read-fields.js';
import { SourceRecord } from '../reading/source-record.js';
import { takeDates } from '../values/dates.js';
import { eachResource } from './each-resource.js';
import type { ScimClient } from './scim-client.js';

/** Whether an address is that of the groups. */
export function isOfGroups(url: string): boolean {
  return url.endsWith('/Groups');
}

/** Visits `/Users` or `/Groups` of a server. Groups are read one by one, because some servers give no list with many members. */
export async function visitScim(client: ScimClient, url: string, visitor: SourceVisitor): Promise<void> {
  if (isOfGroups(url)) return visitGroups(client, url, visitor);
  const isThere = await eachResource({ client, url }, (user, position) => {
    const id = textOf(user ?? {}, ['id']);
    visitor.person(() => requireObject(user), position, id === undefined ? [] : [memberKey('id', id)]);
  });
  if (!isThere) throw new StartError(`${url} is not there: --url must be the address before /Users`);
}

/** A server without groups has no list of them. */
async function visitGroups(client: ScimClient, url: string, visitor: SourceVisitor): Promise<void> {
  await eachResource({ client, url, query: '&excludedAttributes=members' }, async (listed, position) => {
    const id = textOf(listed ?? {}, ['id']);
    const group = id === undefined ? undefined : await groupOf(client, url, id, listed);
    // It was removed after the list was made, or the server answers for lists alone.
    if (id !== undefined && group === undefined) {
      visitor.lost(['(group without an answer of its own)'], position);
      return;
    }
    for (const member of membersOf(group ?? {})) {
      const shown = textOf(member, ['value']) ?? '';
      visitor.member({ group: position, key: memberKey('id', shown), shown, path: 'members[].value' });
    }
    visitor.group(() => readGroup(requireObject(group), position, visitor), position);
  });
}

/** Reads one group. The address of `.` or `..` would be another one, so the group stays as it is listed, and {@link readGroup} refuses it. */
async function groupOf(
  client: ScimClient,
  url: string,
  id: string,
  listed: JsonObject | undefined,
): Promise<JsonObject | undefined> {
  return isDotSegment(id) ? listed : client.get(`${url}/${pathSegment(id)}`);
}

function membersOf({ members }: JsonObject): JsonObject[] {
  return (Array.isArray(members) ? members : [members]).filter(isJsonObject);
}

/** @throws ConversionError */
function requireObject(resource: JsonObject | undefined): JsonObject {
  if (resource !== undefined) return resource;
  throw new ConversionError('other', { detail: 'not a resource of SCIM: it is no object, or has no id' });
}

function readGroup(fields: JsonObject, number: number, visitor: SourceVisitor): SourceGroup {
  const source = new SourceRecord(fields);
  const [id = '', name] = [source.text('id'), source.text('displayName')];
  if (name === undefined) throw new ConversionError('groupUnnamed', { name: 'displayName' });
  for (const path of ['schemas', 'members']) source.take(path);
  for (const part of ['resourceType', 'location', 'version']) source.take('meta', part);
  const externalId = source.text('externalId');
  const dates = takeDates(source, { created: ['meta', 'created'], lastModified: ['meta', 'lastModified'] });
  visitor.lost(source.lost(), number);
  return {
    number,
    id: requireId(id),
    externalId,
    name,
    longName: `${name} (${id})`,
    key: memberKey('id', id),
    dates,
  };
}
