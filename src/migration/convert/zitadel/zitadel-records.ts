import type { TSchema } from 'typebox';
import { projectMemberRoles } from '#src/access/projects/index.js';
import { isInstanceRole, roles } from '#src/directory/index.js';
import { apiAppRecord, oidcAppRecord } from '../../format/application.record.js';
import { createShapeCheck } from '../../format/check-shape.js';
import { domainRecord } from '../../format/domain.record.js';
import { type HumanUserRecord, humanUserRecord } from '../../format/human-user.record.js';
import { machineUserRecord } from '../../format/machine-user.record.js';
import { orgMemberRecord, projectMemberRecord, userGrantRecord } from '../../format/members.record.js';
import { projectRecord } from '../../format/project.record.js';
import { projectRoleRecord } from '../../format/project-role.record.js';
import { userMetadataRecord } from '../../format/user-metadata.record.js';
import { present } from '../people/person.js';
import { checkPerson } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { machineTokenTypes, wordOf } from './constants.js';
import { apiApplication, oidcApplication } from './zitadel-applications.js';

/** A record of an import. It is undefined if nothing of the source is left. */
interface Converted {
  readonly record: unknown;
  readonly notes: readonly string[];
}

type Read = (source: SourceRecord) => Record<string, unknown> | undefined;

const memberRoles: readonly string[] = roles.filter((role) => !isInstanceRole(role));
const newSecret =
  'the application gets its appId as its client identifier. If it needs a secret, make a new one: the export has none';

/** The lists of an organization that Muster has too. Records without notes of their own. */
const lists: Readonly<Record<string, { shape: TSchema; read: Read; note?: string }>> = {
  domains: {
    shape: domainRecord,
    read(source) {
      // Those of the organization that the list is in, and how the domain was verified.
      source.take('orgId');
      source.take('validationType');
      const [isVerified, isPrimary] = [source.flag('isVerified'), source.flag('isPrimary')];
      return present({ domainName: source.text('domainName'), isVerified, isPrimary });
    },
  },
  projects: {
    shape: projectRecord,
    read: (source) => ({
      projectId: source.text('projectId'),
      project: { name: source.text('project', 'name') },
    }),
  },
  projectRoles: {
    shape: projectRoleRecord,
    read: (source) =>
      present({
        projectId: source.text('projectId'),
        roleKey: source.text('roleKey'),
        displayName: source.text('displayName'),
        group: source.text('group'),
      }),
  },
  oidcApps: { shape: oidcAppRecord, read: oidcApplication, note: newSecret },
  apiApps: { shape: apiAppRecord, read: apiApplication, note: newSecret },
  machineUsers: { shape: machineUserRecord, read: machineUser },
  userMetadata: {
    shape: userMetadataRecord,
    read: (source) => ({
      userId: source.text('id') ?? source.text('userId'),
      key: source.take('key'),
      value: source.take('value'),
    }),
  },
  userGrants: {
    shape: userGrantRecord,
    read: (source) => ({
      userId: source.text('userId'),
      projectId: source.text('projectId'),
      roleKeys: source.list('roleKeys'),
    }),
  },
  orgMembers: {
    shape: orgMemberRecord,
    read: (source) => member({ userId: source.text('userId') }, source, memberRoles),
  },
  projectMembers: {
    shape: projectMemberRecord,
    read: (source) =>
      member(
        { projectId: source.text('projectId'), userId: source.text('userId') },
        source,
        projectMemberRoles,
      ),
  },
};

const checks = new Map(Object.entries(lists).map(([key, { shape }]) => [key, createShapeCheck(shape)]));
const checkHuman = createShapeCheck(humanUserRecord);

/** Whether Muster has this list too, beside `humanUsers`. */
export function isTaken(list: string): boolean {
  return Object.hasOwn(lists, list);
}

/** @throws ConversionError when the import would refuse the person */
export function checkZitadelPerson(record: HumanUserRecord, isAllowedWithoutCredentials: boolean): void {
  checkPerson(record, isAllowedWithoutCredentials);
  requireShape(checkHuman(record));
}

/**
 * Returns a record of a list for which {@link isTaken}, as an import takes it.
 * @throws ConversionError when the import would refuse it
 */
export function zitadelRecord(list: string, source: SourceRecord): Converted {
  const record = lists[list]?.read(source);
  if (record !== undefined) requireShape(checks.get(list)?.(record) ?? {});
  const note = record === undefined ? undefined : lists[list]?.note;
  return { record, notes: note === undefined ? [] : [note] };
}

function requireShape(checked: { readonly fault?: string } | { readonly record: unknown }): void {
  if ('fault' in checked && checked.fault !== undefined)
    throw new ConversionError('other', { detail: checked.fault });
}

function machineUser(source: SourceRecord): Record<string, unknown> {
  const token = source.take('user', 'accessTokenType');
  const accessTokenType = wordOf(machineTokenTypes, token);
  if (token !== undefined && accessTokenType === undefined) source.loseAlso('user.accessTokenType');
  return {
    userId: source.text('userId'),
    user: present({
      userName: source.text('user', 'userName'),
      name: source.text('user', 'name'),
      description: source.text('user', 'description'),
      accessTokenType,
    }),
  };
}

/** Keeps the roles that Muster has. The others are lost. */
function member(
  ids: Record<string, unknown>,
  source: SourceRecord,
  known: readonly string[],
): Record<string, unknown> | undefined {
  const given = source.list('roles');
  const knownRoles = given.filter((role) => typeof role === 'string' && known.includes(role));
  if (knownRoles.length < given.length) source.loseAlso('roles[]');
  return knownRoles.length === 0 ? undefined : { ...ids, roles: knownRoles };
}
