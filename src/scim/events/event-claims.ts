import type { Event, EventType } from '#src/audit/event.js';
import type { Organization } from '#src/directory/index.js';
import { enterpriseUser } from '../schema/enterprise-attributes.js';
import { userExtension } from '../schema/user-attributes.js';

const prefix = 'urn:ietf:params:scim:event:prov:';

/** An event of RFC 9967 section 2.4, and the attributes that it names. */
interface Provisioning {
  readonly endpoint: '/Users' | '/Groups';
  readonly name: 'create:notice' | 'patch:notice' | 'activate' | 'deactivate' | 'delete';
  /** The attributes, from the payload. Absent for events that name none. */
  readonly attributes?: (payload: Readonly<Record<string, unknown>>) => string[];
}

const changed = (payload: Readonly<Record<string, unknown>>) => payload['attributes'] as string[];
const always =
  (...names: string[]) =>
  () =>
    names;

/** The parts of the payload of a new user, and the attributes that they tell of. */
const claimNames: Readonly<Record<string, string>> = {
  userName: 'userName',
  displayName: 'displayName',
  email: 'emails',
  externalId: 'externalId',
  active: 'active',
};

const provisioning: Partial<Record<EventType, Provisioning>> = {
  'user.human.added': {
    endpoint: '/Users',
    name: 'create:notice',
    attributes: (payload) => ['id', ...Object.keys(payload).flatMap((name) => claimNames[name] ?? [])],
  },
  'user.human.changed': { endpoint: '/Users', name: 'patch:notice', attributes: changed },
  'user.human.password.changed': {
    endpoint: '/Users',
    name: 'patch:notice',
    attributes: always('password'),
  },
  'user.deactivated': { endpoint: '/Users', name: 'deactivate' },
  'user.reactivated': { endpoint: '/Users', name: 'activate' },
  'user.removed': { endpoint: '/Users', name: 'delete' },
  'group.added': {
    endpoint: '/Groups',
    name: 'create:notice',
    attributes: ({ displayName: _name, ...others }) => ['id', 'displayName', ...Object.keys(others)],
  },
  'group.changed': { endpoint: '/Groups', name: 'patch:notice', attributes: changed },
  'group.members.added': { endpoint: '/Groups', name: 'patch:notice', attributes: always('members') },
  'group.members.removed': { endpoint: '/Groups', name: 'patch:notice', attributes: always('members') },
  'group.removed': { endpoint: '/Groups', name: 'delete' },
};

/** The types that events of service users have too, which are no resources of SCIM. */
export const sharedTypes: ReadonlySet<EventType> = new Set([
  'user.deactivated',
  'user.reactivated',
  'user.removed',
]);

/** The types of events that become security event tokens. */
export const sentTypes: ReadonlySet<EventType> = new Set(Object.keys(provisioning) as EventType[]);

const extensionOf = new Map(
  [enterpriseUser, userExtension].flatMap(({ name, subAttributes = [] }) =>
    subAttributes.map((attribute) => [attribute.name, name] as const),
  ),
);

/**
 * The claims of a security event token about an event (RFC 8417 section 2.2, RFC 9967 section 2). They name a resource and attributes,
 * and contain no value. The event has the names of stored attributes. Those of extensions get their URN here.
 */
export function eventClaims(
  { id, type, aggregate, creationDate, payload }: Event,
  organization: Pick<Organization, 'extensionSchemas'>,
): Record<string, unknown> | undefined {
  const found = provisioning[type];
  if (found === undefined) return undefined;
  const told = found.attributes?.(payload).flatMap((name) => pathsOf(name, organization));
  const names = told && [...new Set(told)];
  const { externalId } = payload;
  return {
    jti: id,
    txn: id,
    toe: Math.floor(creationDate.getTime() / 1_000),
    sub_id: {
      format: 'scim',
      uri: `${found.endpoint}/${encodeURIComponent(aggregate.id)}`,
      ...(typeof externalId === 'string' && { externalId }),
    },
    events: { [`${prefix}${found.name}`]: names === undefined ? {} : { attributes: names } },
  };
}

/** The paths of a stored attribute, as in PATCH. Of the attributes of the organization, only their schemas are known. */
function pathsOf(name: string, { extensionSchemas }: Pick<Organization, 'extensionSchemas'>): string[] {
  if (name === 'clientExternalIds') return ['externalId'];
  if (name === 'extensions') return extensionSchemas?.schemas.map(({ id }) => id) ?? [];
  const urn = extensionOf.get(name);
  return [urn === undefined ? name : `${urn}:${name}`];
}
