import { join } from 'node:path';
import { foldCase } from '#src/directory/index.js';
import { normalizeGroup } from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import type { GroupMemberRecord, GroupRecord } from '../format/group.record.js';
import type { IdentityLinksRecord } from '../format/identity-links.record.js';
import { groupIdentifier } from '../format/made-identifiers.js';
import type { UserMetadataRecord } from '../format/user-metadata.record.js';
import type { WebauthnCredentialsRecord } from '../format/webauthn-credentials.record.js';
import type { BodyList, ImportBody } from './import-body.js';
import type { MappedPerson } from './mapping/apply-mapping.js';
import { eachLine } from './reading/each-line.js';
import { createProblems } from './reading/problems.js';
import { ConversionError, refusedBy } from './reading/read-fields.js';
import { createTextWriter, type TextWriter } from './text-writer.js';

/** The numbers of what the lists have. */
interface ListCounts {
  readonly groups: number;
  readonly memberships: number;
  readonly identityLinks: number;
  readonly webauthnCredentials: number;
}

/** The groups and memberships of an input, and those and the metadata that a mapping makes, and the links and passkeys of people. They stand after the people in a body, so they wait on the disk. */
export interface PeopleLists {
  readonly counts: ListCounts;
  /** Adds what a person has. @throws ConversionError when the import would refuse a group */
  add(person: MappedPerson): void;
  /**
   * Adds a group of the input. If a mapping made one of the same name, both are one.
   * @param group its identifier is made of the name if absent
   * @returns its identifier in the output
   * @throws ConversionError when the groups are too many to hold
   */
  addGroup(group: {
    name: string;
    id?: string | undefined;
    externalId?: string | undefined;
    created?: string;
    lastModified?: string;
  }): string;
  addMember(groupId: string, userId: string): void;
  /** Writes the lists to the body. */
  finish(signal: AbortSignal | undefined): Promise<void>;
  close(): void;
}

/** The groups are in memory. A column of identifiers that was taken for groups must not fill it. */
export const maxGroups = 100_000;

/** @param orgId the organization of the output */
export function createPeopleLists(body: ImportBody, orgId: string): PeopleLists {
  const groups = new Map<string, GroupRecord>();
  const waiting = new Map<BodyList, TextWriter>();
  const counts = { groups: 0, memberships: 0, identityLinks: 0, webauthnCredentials: 0 };

  function add(
    list: BodyList,
    record: GroupMemberRecord | UserMetadataRecord | IdentityLinksRecord | WebauthnCredentialsRecord,
  ): void {
    const writer = waiting.get(list) ?? createTextWriter(join(body.folder, list));
    waiting.set(list, writer);
    writer.write(`${JSON.stringify(record)}\n`);
  }

  function groupOf({ name, id, externalId, ...dates }: Parameters<PeopleLists['addGroup']>[0]): GroupRecord {
    const key = foldCase(name);
    const known = groups.get(key);
    if (known !== undefined) return known;
    if (groups.size === maxGroups) throw new ConversionError('tooManyGroups', { most: maxGroups });
    const displayName = requireGroupName(name);
    const group = { displayName, ...dates, ...(externalId !== undefined && { externalId }) };
    const groupId = id ?? groupIdentifier({ orgId, name: key });
    const record = { groupId, group };
    groups.set(key, record);
    counts.groups++;
    return record;
  }

  function addMember(groupId: string, userId: string): void {
    add('groupMembers', { groupId, userId });
    counts.memberships++;
  }

  return {
    counts,
    addGroup: (group) => groupOf(group).groupId,
    addMember,
    add({ record: { userId }, groups: names, metadata, links, passkeys }) {
      if (userId === undefined) return;
      const groups = names.map((name) => groupOf({ name }));
      for (const { groupId } of groups.length > 1 ? new Set(groups) : groups) addMember(groupId, userId);
      for (const [key, text] of metadata) {
        add('userMetadata', { userId, key, value: Buffer.from(text).toString('base64') });
      }
      if (links.length > 0) add('identityLinks', { userId, links });
      if (passkeys.length > 0) add('webauthnCredentials', { userId, credentials: passkeys });
      counts.identityLinks += links.length;
      counts.webauthnCredentials += passkeys.length;
    },
    async finish(signal) {
      for (const record of groups.values()) body.add(JSON.stringify(record), 'groups');
      for (const [list, writer] of [...waiting].sort(([a], [b]) => (a < b ? -1 : 1))) {
        writer.finish();
        const path = join(body.folder, list);
        await eachLine({ path, problems: createProblems(), signal }, (text) => body.add(text, list));
      }
    },
    close() {
      for (const writer of waiting.values()) writer.abandon();
    },
  };
}

/** Returns the name as it is stored. @throws ConversionError when the import would refuse it */
export function requireGroupName(name: string): string {
  try {
    return normalizeGroup({ displayName: name }).displayName;
  } catch (error) {
    throw error instanceof AppError ? refusedBy(error) : error;
  }
}
