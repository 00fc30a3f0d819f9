import { addMembership } from '#src/access/memberships/index.js';
import { recoverOwner } from '#src/authentication/index.js';
import { foldCase, type Organization, type User } from '#src/directory/index.js';
import { checkMasterKeys } from '#src/keys/check-master-keys.js';
import { addUser } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { StartError } from '#src/platform/start-error.js';
import type { Rooms } from '#src/rooms.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import type { Terminal } from '../terminal/terminal.js';
import { findOwners, type Owner, ownersNamed, printOwners } from './owners.js';
import { placeOfLink } from './place-of-link.js';

/** What the command was asked for. */
export type WantedRecovery =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'owner';
      /** The login name or the identifier of an owner. */
      readonly name: string;
      readonly removeSecondFactor: boolean;
    }
  | {
      readonly kind: 'newOwner';
      readonly userName: string;
      /** The organization of the person. Absent: that of the first owner. */
      readonly orgId?: string | undefined;
      readonly email?: string | undefined;
    };

interface Screen {
  readonly output: Output;
  readonly terminal: Terminal;
}

/** The end of each error before the confirmation. */
export const unchanged = 'Nothing was changed.';

const editor = { userId: 'muster-recover', service: 'recover' };

/**
 * Lists the owners of the instance, or makes a one-time link for one of them or for a new one. The caller has the settings of a process,
 * and so could change the database itself. This way keeps the promises of the service: the owner's sessions and tokens end at every
 * process, and every owner sees the event. The link is printed once, after the person at the terminal typed the login name.
 * @throws StartError if the master keys are not those of the database, nobody has the name, the link would lead nowhere, or the person did not confirm
 */
export async function recoverInstance(rooms: Rooms, wanted: WantedRecovery, screen: Screen): Promise<void> {
  await requireRightKeys(rooms);
  const owners = await findOwners(rooms);
  if (owners.length === 0) throw new StartError(`The instance has no owner. Run muster init. ${unchanged}`);
  if (wanted.kind === 'list') return list(owners, screen.output);
  try {
    if (wanted.kind === 'owner') await recoverOne(rooms, screen, { wanted, owners });
    else await recoverByNewOwner(rooms, screen, { wanted, owners });
  } catch (error) {
    if (error instanceof AppError) throw new StartError(`${error.message}. Run muster recover again.`);
    throw error;
  }
}

/** The signing keys tell whether the master keys are right. */
async function requireRightKeys({ signingKeyRotation }: Rooms): Promise<void> {
  await checkMasterKeys(signingKeyRotation);
  // Not by `signingKeys`, which would make the missing keys with the master keys that are in question.
  if ((await signingKeyRotation.store.all()).length > 0) return;
  throw new StartError(
    `No process has served this database yet, so nothing shows that MUSTER_MASTER_KEYS is right. ${unchanged}`,
  );
}

function list(owners: readonly Owner[], output: Output): void {
  printOwners(output, owners);
  output.note(
    'muster recover --owner NAME makes a link for a person of this list, and --new-owner NAME for somebody else.',
  );
  output.result({ owners });
}

async function recoverOne(
  rooms: Rooms,
  screen: Screen,
  { wanted, owners }: { wanted: WantedRecovery & { kind: 'owner' }; owners: readonly Owner[] },
): Promise<void> {
  const { name, removeSecondFactor } = wanted;
  const named = ownersNamed(owners, name);
  const [owner] = named;
  if (owner === undefined) {
    printOwners(screen.output, owners);
    throw new StartError(
      `No person with the role IAM_OWNER has the name or identifier ${plainWord(name)}. ${unchanged}`,
    );
  }
  if (named.length > 1) {
    printOwners(screen.output, named);
    throw new StartError(`${named.length} owners have this name. Give the identifier of one. ${unchanged}`);
  }
  if (!owner.active) {
    throw new StartError(
      `${plainWord(owner.userName)} is inactive, and an inactive person cannot sign in. Use --new-owner. ${unchanged}`,
    );
  }
  const { id: userId, orgId, orgName } = owner;
  const place = await placeOfLink(rooms, { organization: { id: orgId, name: orgName }, userId });
  await confirm(screen, owner.userName, [
    `${ownerLine(owner)} gets a link for a new ${place}. Every session and token of this person ends.`,
    ...(removeSecondFactor && owner.hasSecondFactor ? ['The second factor of this person is removed.'] : []),
    ...(!removeSecondFactor && owner.hasSecondFactor
      ? ['This person keeps a second factor. Without it, use --remove-second-factor.']
      : []),
    'Every owner sees this in the log of events.',
  ]);
  await finish(rooms, screen.output, { ...owner, removeSecondFactor });
}

async function recoverByNewOwner(
  rooms: Rooms,
  screen: Screen,
  { wanted, owners }: { wanted: WantedRecovery & { kind: 'newOwner' }; owners: readonly Owner[] },
): Promise<void> {
  const { userName, email, orgId = owners[0]?.orgId ?? '' } = wanted;
  const organization = await rooms.organizations.find(orgId);
  if (organization === undefined)
    throw new StartError(`There is no organization ${plainWord(orgId)}. ${unchanged}`);
  const known = (await rooms.accounts.findByUserName(orgId, foldCase(userName)))?.user;
  if (known !== undefined && owners.some(({ id }) => id === known.id))
    throw new StartError(`${plainWord(known.userName)} is an owner already. Use --owner. ${unchanged}`);
  if (known?.active === false)
    throw new StartError(`${plainWord(known.userName)} is inactive. Choose another login name. ${unchanged}`);
  const leadsTo = await placeOfLink(rooms, { organization, userId: known?.id });
  const place = `the organization ${plainWord(organization.name)}`;
  const name = plainWord(known?.userName ?? userName);
  await confirm(screen, known?.userName ?? userName, [
    known === undefined
      ? `${name} is added to ${place}, gets the role IAM_OWNER, and a link for a ${leadsTo}.`
      : `${name} of ${place} gets the role IAM_OWNER, and a link for a new ${leadsTo}. Every session and token of this person ends.`,
    'Every owner sees this in the log of events.',
  ]);
  const person = known ?? (await addPerson(rooms, { organization, userName, email }));
  await addMembership(rooms, { userId: person.id, role: 'IAM_OWNER', editor });
  await finish(rooms, screen.output, { ...person, removeSecondFactor: false });
}

function addPerson(
  rooms: Rooms,
  {
    organization,
    userName,
    email,
  }: { organization: Organization; userName: string; email: string | undefined },
): Promise<User> {
  const emails = email === undefined ? [] : [{ value: email, primary: true }];
  return addUser(rooms, { organization, draft: { profile: { userName, name: {}, emails } }, editor });
}

/** @throws StartError unless the person types the login name */
async function confirm(
  { output, terminal }: Screen,
  userName: string,
  lines: readonly string[],
): Promise<void> {
  for (const line of lines) output.note(line);
  const typed = await terminal.ask(`Type the login name ${plainWord(userName)} to confirm:`);
  // A terminal may compose characters in another way than the client that stored the name.
  if (typed.normalize('NFC') !== userName.normalize('NFC'))
    throw new StartError(`That is not the login name. ${unchanged}`);
}

async function finish(
  rooms: Rooms,
  output: Output,
  {
    id,
    orgId,
    userName,
    removeSecondFactor,
  }: Pick<Owner, 'id' | 'orgId' | 'userName'> & { removeSecondFactor: boolean },
): Promise<void> {
  const { secret, expires } = await recoverOwner(rooms, { id, orgId, editor, removeSecondFactor });
  // After the commit: they have ended already, and leave the lists of the person.
  await rooms.sessions.endAllOf(id);
  const url = `${rooms.config.baseUrl}/login/password?token=${secret}`;
  output.note(`The link works once, until ${expires.toISOString()}. It is shown only here:`);
  output.print(url);
  output.result({ owner: { id, orgId, userName }, url, expires: expires.toISOString() });
}

function ownerLine({ userName, orgName }: Owner): string {
  return `${plainWord(userName)} of the organization ${plainWord(orgName)}`;
}
