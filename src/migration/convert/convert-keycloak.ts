import { join } from 'node:path';
import { StartError } from '#src/platform/start-error.js';
import type { GroupMemberRecord, GroupRecord } from '../format/group.record.js';
import { chooseRealm } from './chosen-realm.js';
import type { ConversionReport } from './conversion-report.js';
import { eachElement } from './each-element.js';
import { eachLine } from './each-line.js';
import { type BodyOptions, type ImportBody, openImportBody } from './import-body.js';
import { createKeycloakGroups } from './keycloak-groups.js';
import { type KeycloakUser, readKeycloakUser } from './keycloak-user.js';
import { createLosses } from './losses.js';
import { createProblems, type Problems } from './problems.js';
import { ConversionError } from './read-fields.js';
import { createTextWriter } from './text-writer.js';

export interface KeycloakInput {
  /** The files of the export of one realm: the whole realm in one, or the realm and its users in several. */
  readonly realm: readonly string[];
  /** The name of the realm, if the files have several. */
  readonly realmName?: string | undefined;
  /** Treats every e-mail address as verified, whatever the export says. */
  readonly emailVerified: boolean;
  /** Writes the output although some users or groups cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  /** Writes nothing if a value of the input reaches nothing. Absent means no. */
  readonly strict?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Where the problems of the input go. */
  readonly problems?: Problems;
}

/** A user in a group, as it waits until all groups are known. */
type WaitingMember = readonly [path: string, userId: string, file: string, line: number];

/**
 * Writes an import body from the users and groups of a realm export. Users keep their password hashes and authenticator apps.
 * Users whose hash is of an extension set a password at their first login. Memory grows with the number of groups alone: memberships are
 * stored in a folder beside the output until all groups are known.
 * @throws StartError when a file cannot be read or written, or is no JSON document; the reason of the signal when it aborts
 */
export async function convertKeycloak(input: KeycloakInput, output: BodyOptions): Promise<ConversionReport> {
  const { realm: files, skipInvalid, strict = false, signal } = input;
  const { problems = createProblems() } = input;
  const losses = createLosses();
  const counts = { users: 0, withPassword: 0, groups: 0, memberships: 0 };
  const body = openImportBody(output, files);
  const waitingPath = join(body.folder, 'memberships');
  const waiting = createTextWriter(waitingPath);
  const tell = (severity: 'error' | 'note', message: string, place: { file: string; line: number }) =>
    problems.add({ severity, ...place, message });
  const groups = createKeycloakGroups(tell);
  const realm = chooseRealm(input.realmName);

  function takeUser(
    { record, notes, lost, groups: paths }: KeycloakUser,
    place: { file: string; line: number },
  ): void {
    for (const note of notes) tell('note', note, place);
    losses.add(lost, place);
    const { hashedPassword, password } = record.user;
    counts.users++;
    if (hashedPassword !== undefined || password !== undefined) counts.withPassword++;
    body.add(JSON.stringify(record));
    const { userId } = record;
    if (userId === undefined) {
      if (paths.length > 0)
        tell('note', 'the user has no id, so its memberships of groups are left out', place);
      return;
    }
    for (const group of paths) {
      waiting.write(`${JSON.stringify([group, userId, place.file, place.line] satisfies WaitingMember)}\n`);
    }
  }

  try {
    for (const file of files) {
      await eachElement(
        { path: file, members: ['groups', 'users'], label: realm.label, problems, signal },
        (text, line, member) => {
          if (!realm.isChosen({ file, line })) return;
          try {
            if (member === 'groups') groups.add(text, { file, line });
            else {
              const user = readKeycloakUser(text, input);
              if (user !== undefined) takeUser(user, { file, line });
            }
          } catch (error) {
            if (!(error instanceof ConversionError)) throw error;
            tell('error', error.message, { file, line });
          }
        },
      );
    }
    realm.requireOne(files);
    waiting.finish();
    const records = groups.records();
    const report = () => ({ ...counts, problems, losses: losses.list(), written: false });
    if (problems.count('error') > 0 && !skipInvalid) return report();
    if (strict && losses.list().length > 0) return report();
    if (counts.users === 0 && records.size === 0) {
      throw new StartError(
        `${files.join(', ')} has no users and no groups of Keycloak. A realm has users if they were exported with it`,
      );
    }
    for (const record of records.values()) body.add(JSON.stringify(record), 'groups');
    counts.groups = records.size;
    await eachLine({ path: waitingPath, problems, signal }, (text) => {
      const [group, userId, file, line] = JSON.parse(text) as WaitingMember;
      if (addMember(body, records.get(group), userId)) counts.memberships++;
      else
        tell('note', `the group ${JSON.stringify(group.slice(0, 200))} of the user is not in the output`, {
          file,
          line,
        });
    });
    body.publish();
    return { ...report(), written: true };
  } finally {
    waiting.abandon();
    body.close();
  }
}

function addMember(body: ImportBody, group: GroupRecord | undefined, userId: string): boolean {
  if (group === undefined) return false;
  const record: GroupMemberRecord = { groupId: group.groupId, userId };
  body.add(JSON.stringify(record), 'groupMembers');
  return true;
}
