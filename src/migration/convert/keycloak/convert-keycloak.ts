import { join } from 'node:path';
import type { GroupRecord } from '../../format/group.record.js';
import { personIdentifier } from '../../format/made-identifiers.js';
import { type InputSource, withInputText } from '../../text/input-text.js';
import type { ConversionReport } from '../conversion-report.js';
import { keycloakIdentities } from '../identities/identity-layouts.js';
import type { BodyOptions } from '../import-body.js';
import { createLosses, type Losses, refusedLosses } from '../losses.js';
import { withIdentifier } from '../mapping/apply-mapping.js';
import type { RuleFlags } from '../mapping/people-rules.js';
import { readMapping } from '../mapping/read-mapping.js';
import type { PeopleLists } from '../people-lists.js';
import { createPeopleWriter } from '../people-writer.js';
import { InputError } from '../reading/conversion-problems.js';
import { eachElement } from '../reading/each-element.js';
import { eachLine } from '../reading/each-line.js';
import { eachRecord } from '../reading/each-record.js';
import { createProblems, type Problems, refusal, withRefused } from '../reading/problems.js';
import { ConversionError } from '../reading/read-fields.js';
import { whoInText } from '../reading/who-in.js';
import { createTextWriter, type TextWriter } from '../text-writer.js';
import { chooseRealm } from './chosen-realm.js';
import { keycloakForm } from './keycloak-form.js';
import { createKeycloakGroups } from './keycloak-groups.js';
import { keycloakStates, readKeycloakUser } from './keycloak-user.js';

export interface KeycloakInput extends RuleFlags {
  /**
   * The files of the export of one realm: the whole realm in one, or the realm and its users in several. Also answers of the admin API, which
   * are arrays of users or groups.
   */
  readonly realm: readonly string[];
  /** The name of the realm, if the files have several. */
  readonly realmName?: string | undefined;
  /** The RP ID of the passkeys: a realm may leave it to the address of the server. */
  readonly rpId?: string | undefined;
  /** Writes the output although some users or groups cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  /** Writes nothing if a value of the input reaches nothing, and the mapping does not accept that. Absent means no. */
  readonly strict?: boolean;
  /** The text of a mapping. */
  readonly map?: string | undefined;
  /** Writes nothing. The caller shows what the report explains. */
  readonly isDryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where the problems of the input go. */
  readonly problems?: Problems;
}

/** Members of a realm that are about people, besides its users and groups. The others are its settings. */
const ofPeople = ['federatedUsers', 'organizations'];

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
  const conversion = openConversion(input, output);
  const { problems, losses, writer, groups, waiting } = conversion;
  const { body, lists, counts, explained } = writer;
  try {
    for (const file of files) await readFile(conversion, file);
    conversion.realm.requireOne(files);
    waiting.finish();
    const records = groups.records();
    await tellLostMemberships(conversion, records);
    tellClearPasswords(conversion);
    tellSilent(conversion);
    writer.tellUnused();
    const lost = losses.list();
    const madeNames = writer.madeNames();
    const report = {
      lostFactors: writer.lostFactors(),
      ...counts,
      ...lists.counts,
      madeNames,
      problems,
      losses: lost,
      explained,
      written: false,
    };
    if (problems.count('error') > 0 && !skipInvalid) return report;
    if (strict && refusedLosses(lost).length > 0) return report;
    if (counts.users === 0 && records.size === 0) {
      throw new InputError('noPeople', withRefused(noPeople(files, conversion.clients.count), problems));
    }
    if (input.isDryRun === true) return report;
    const groupIds = addGroups(lists, records);
    await eachWaiting(conversion, ([group, userId]) => {
      const groupId = groupIds.get(group);
      if (groupId !== undefined) lists.addMember(groupId, userId);
    });
    await lists.finish(signal);
    body.publish(writer.stated());
    return { ...report, ...lists.counts, written: true };
  } finally {
    waiting.abandon();
    writer.close();
  }
}

interface Place {
  readonly file: string;
  readonly line: number;
}

/** What the steps of one conversion share. */
interface KeycloakConversion {
  readonly input: KeycloakInput;
  /** The organization of the output. */
  readonly orgId: BodyOptions['orgId'];
  readonly problems: Problems;
  readonly losses: Losses;
  readonly writer: ReturnType<typeof createPeopleWriter>;
  readonly groups: ReturnType<typeof createKeycloakGroups>;
  readonly realm: ReturnType<typeof chooseRealm>;
  /** The memberships, and the file in which they wait. */
  readonly waiting: TextWriter;
  readonly waitingPath: string;
  /** The users with passwords in plain text. */
  readonly clear: { count: number; first?: Place };
  /** The users without `enabled`. */
  readonly silent: { count: number; first?: Place };
  /** The accounts of clients, which are no people. */
  readonly clients: { count: number };
  readonly note: (message: string, place: Place) => void;
}

function openConversion(input: KeycloakInput, output: BodyOptions): KeycloakConversion {
  const { problems = createProblems() } = input;
  const given = readMapping(input);
  const losses = createLosses(given?.acceptedLosses);
  const format = { identities: keycloakIdentities, states: keycloakStates };
  const writer = createPeopleWriter(
    { ...input, given, format, files: input.realm, problems, losses },
    output,
  );
  const waitingPath = join(writer.body.folder, 'memberships');
  const waiting = createTextWriter(waitingPath);
  const note: KeycloakConversion['note'] = (message, place) =>
    problems.add({ severity: 'note', ...place, message });
  const { orgId } = output;
  const groups = createKeycloakGroups({ orgId, problems, lose: losses.add });
  const realm = chooseRealm(input.realmName);
  return {
    input,
    orgId,
    problems,
    losses,
    writer,
    groups,
    realm,
    waiting,
    waitingPath,
    clear: { count: 0 },
    silent: { count: 0 },
    clients: { count: 0 },
    note,
  };
}

function noPeople(files: readonly string[], clients: number): string {
  const named = files.join(', ');
  if (clients > 0) {
    return `${named} has no people: its ${clients} users are accounts of clients. Export the people too, such as with kc.sh export --users realm_file`;
  }
  return `${named} has no users and no groups of Keycloak. A realm has users if they were exported with it`;
}

/** Takes the groups and users of a file. */
async function readFile(conversion: KeycloakConversion, file: string): Promise<void> {
  const { signal } = conversion.input;
  await withInputText({ path: file, signal }, async (open) => {
    const form = await keycloakForm(open, signal);
    if (form === 'realms') return readRealms(conversion, { path: file, text: open });
    const { problems, input } = conversion;
    const source = { path: file, text: open, members: [], problems, signal: input.signal, hasLines: true };
    await eachRecord(source, (text, line) => takeElement(conversion, { text, member: form }, { file, line }));
  });
}

/** Takes the groups and users of a file that belong to the realm. */
function readRealms(conversion: KeycloakConversion, open: InputSource): Promise<void> {
  const file = open.path;
  const { input, realm, problems, losses } = conversion;
  const passed = (name: string, line: number) => {
    const path = ofPeople.includes(name) ? `${name}[]` : `(realm) ${name}`;
    realm.whenChosen(() => losses.add([path], { file, line }));
  };
  return eachElement(
    {
      ...open,
      members: ['groups', 'users'],
      label: realm.label,
      passed,
      problems,
      signal: input.signal,
    },
    (text, line, member) => {
      const place = { file, line };
      if (realm.isChosen(place)) takeElement(conversion, { text, member }, place);
    },
  );
}

/** Takes a user or a group. An error is a problem of it alone. */
function takeElement(
  conversion: KeycloakConversion,
  { text, member }: { text: string; member: string },
  place: Place,
): void {
  try {
    if (member === 'groups') conversion.groups.add(text, place);
    else takeUser(conversion, text, place);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    conversion.problems.add(refusal(place, error.known, { who: whoInText(text) }));
  }
}

/** Takes an element of `users`. @throws ConversionError */
function takeUser(conversion: KeycloakConversion, text: string, place: Place): void {
  const { input, losses, writer, clear, silent, clients, note } = conversion;
  const found = readKeycloakUser(text, input);
  if (found === undefined) {
    note('the account of a client is no person; left out', place);
    losses.add(['(account of a client)'], place);
    clients.count++;
    return;
  }
  const { source, person, groups: paths, isSilent } = found;
  // A realm that a person wrote has no identifiers, and a membership needs one.
  const identify = (name: string) => personIdentifier({ orgId: conversion.orgId, name });
  const needsId = paths.length > 0 && person.record.userId === undefined;
  const record = needsId ? withIdentifier(person.record, identify) : person.record;
  const { userId, user } = writer.add(source, { ...person, record }, place);
  if (user.password !== undefined) {
    clear.count++;
    clear.first ??= place;
  }
  if (isSilent) {
    silent.count++;
    silent.first ??= place;
  }
  if (userId === undefined) return;
  for (const group of paths) {
    const member: WaitingMember = [group, userId, place.file, place.line];
    conversion.waiting.write(`${JSON.stringify(member)}\n`);
  }
}

function tellClearPasswords({ clear, note }: KeycloakConversion): void {
  if (clear.first === undefined) return;
  const message = `Passwords in plain text: ${clear.count}. The import refuses those that break the rules of the organization; rules.clearPasswords of a mapping can exempt them`;
  note(message, clear.first);
}

function tellSilent({ silent, note }: KeycloakConversion): void {
  if (silent.first === undefined) return;
  const message = `Users without enabled: ${silent.count}. Keycloak takes them for disabled, so they cannot sign in`;
  note(message, silent.first);
}

/** Tells the groups of people that are not in the output. */
async function tellLostMemberships(
  conversion: KeycloakConversion,
  known: ReadonlyMap<string, GroupRecord>,
): Promise<void> {
  const { losses, note } = conversion;
  let counted: string | undefined;
  await eachWaiting(conversion, ([group, userId, file, line]) => {
    if (known.has(group)) return;
    const name = JSON.stringify(group.slice(0, 200));
    note(`the group ${name} of the user is not in the output`, { file, line });
    // The memberships of a user stand one after the other.
    if (counted !== userId) losses.add(['groups[]'], { file, line });
    counted = userId;
  });
}

/** Visits the memberships that wait. */
function eachWaiting(
  { waitingPath: path, problems, input: { signal } }: KeycloakConversion,
  visit: (member: WaitingMember) => void,
): Promise<void> {
  return eachLine({ path, problems, signal }, (text) => visit(JSON.parse(text) as WaitingMember));
}

/** Returns the identifiers by path. A group that a mapping made has the identifier of the mapping. */
function addGroups(lists: PeopleLists, records: ReadonlyMap<string, GroupRecord>): Map<string, string> {
  try {
    return new Map(
      [...records].map(([path, { groupId, group }]) => {
        return [path, lists.addGroup({ name: group.displayName, id: groupId })];
      }),
    );
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new InputError(error.known.id, error.message, error.known.params);
  }
}
