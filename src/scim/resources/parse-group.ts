import type { GroupProfile } from '#src/people/groups/index.js';
import { Refusals } from '#src/platform/check-each.js';
import { requireJsonObject, requireSchema } from '../protocol/json.js';
import { missingValue } from '../protocol/missing-value.js';
import { urns } from '../protocol/urns.js';
import { groupSchema } from '../schema/group-attributes.js';
import { readMembers } from './read-members.js';
import { readValue } from './read-value.js';
import { resourceMembers } from './resource-members.js';

/** A group as the client sent it. */
interface ParsedGroup {
  readonly profile: GroupProfile;
  /** Identifiers of users. */
  readonly members: ReadonlySet<string>;
}

/**
 * Reads the body of a create or replace request (RFC 7644 sections 3.3 and 3.5.1). Unknown attributes and schemas are ignored.
 * @throws AppError `scim.wrongType`, `scim.missingSchema`, `scim.missingValue`, `scim.badValue`
 */
export function parseGroupResource(body: unknown): ParsedGroup {
  const given = resourceMembers(requireJsonObject(body, 'The group'), groupSchema);
  const schemas = given.get('schemas');
  const isGroup = (schema: unknown) => typeof schema === 'string' && groupSchema.isUrn(schema);
  if (!Array.isArray(schemas) || !schemas.some(isGroup)) requireSchema(given, urns.group);
  const read = (name: string) => {
    const attribute = groupSchema.find(name)?.attribute;
    return (attribute && readValue(attribute, given.get(name.toLowerCase()))) as string | undefined;
  };
  const refusals = new Refusals();
  const displayName = refusals.try(() => read('displayName'));
  const externalId = refusals.try(() => read('externalId'));
  if (displayName === undefined && !refusals.names('displayName'))
    refusals.add(missingValue(['displayName']));
  refusals.throwIfAny();
  if (displayName === undefined) throw missingValue(['displayName']);
  return {
    profile: { displayName, ...(externalId !== undefined && { externalId }) },
    members: readMembers(given.get('members')),
  };
}
