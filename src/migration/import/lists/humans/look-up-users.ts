import { foldCase, uniqueValueKeys } from '#src/directory/index.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';
import { takenIdentifiers } from '../shared/taken-identifiers.js';
import { KnownUsers } from './known-users.js';
import { newAccount, withHashes } from './new-account.js';
import { type HumanUserInput, type RulesOfUsers, readHumanUser } from './read/human-user-input.js';
import type { HumanUsersDeps } from './users-survey.js';

/** Records that were read, and the rules that they were read by. */
interface Wanted {
  readonly context: SectionContext;
  readonly rules: RulesOfUsers | undefined;
  readonly inputs: readonly HumanUserInput[];
}

/** Looks up the users that the records of an import may be about, and what other users have. */
export async function lookUpUsers(deps: HumanUsersDeps, wanted: Wanted): Promise<KnownUsers> {
  const { context, rules, inputs } = wanted;
  const { orgId, findReserved, findReservingRecords } = context;
  const users = new KnownUsers(orgId);
  const ids = idsOf(inputs);
  const userNames = foldedNamesOf(inputs);
  // Before the accounts are read, which are then those of identifiers that are taken.
  users.identifiers = await takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'user' });
  const earlier = await findReservingRecords([
    ...ids.map((id) => reservedName.userOf(orgId, id)),
    ...userNames.map((name) => reservedName.userName(orgId, name)),
  ]);
  const inputsOfEarlier = earlier.map((record) => readHumanUser(record, context, rules));
  const ofEarlier = inputsOfEarlier.map((input) => ({ input, added: newAccount(deps, context, input) }));
  const decided = await withHashes(deps, context, ofEarlier);
  // If another import adds a user meanwhile, the identifier is not among these. The plan then fails as outdated when it is written.
  const takenIds = ids.filter((id) => users.identifiers?.taken.has(id));
  const taken = await deps.accounts.findTaken(orgId, { ids: takenIds, userNames });
  for (const account of taken) users.remember(account);
  for (const account of decided) {
    users.remember(account);
    users.setDecided(account);
  }
  users.takenKeys = await takenValues(deps, context, inputs);
  return users;
}

/**
 * Looks up what a verification compares with. Most of its records are there, so it asks for names and identifiers only where no
 * user has the identifier. A verification adds nothing, so the order of these reads does not matter.
 */
export async function lookUpToCompare(
  deps: HumanUsersDeps,
  { context, inputs }: Wanted,
): Promise<KnownUsers> {
  const { orgId, findReserved } = context;
  const users = new KnownUsers(orgId);
  const known = await deps.accounts.findTaken(orgId, { ids: idsOf(inputs), userNames: [] });
  for (const account of known) users.remember(account);
  const others = inputs.filter(({ id }) => id === undefined || !users.hasId(id));
  if (others.length === 0) return users;
  const [identifiers, namesakes, takenKeys] = await Promise.all([
    takenIdentifiers(deps, { orgId, findReserved, ids: idsOf(others), kind: 'user' }),
    deps.accounts.findTaken(orgId, { ids: [], userNames: foldedNamesOf(others) }),
    takenValues(deps, context, others),
  ]);
  users.identifiers = identifiers;
  for (const account of namesakes) users.remember(account);
  users.takenKeys = takenKeys;
  return users;
}

/** The keys of values besides the userName that other users have and no two may have. */
async function takenValues(
  { users }: Pick<HumanUsersDeps, 'users'>,
  { orgId, findReserved }: SectionContext,
  inputs: readonly HumanUserInput[],
) {
  const keys = inputs.flatMap(({ profile }) => uniqueValueKeys(profile));
  if (keys.length === 0) return new Set<string>();
  const names = new Map(keys.map((key) => [reservedName.uniqueValue(orgId, key), key]));
  const reserved = await findReserved([...names.keys()]);
  const taken = await users.takenKeys(orgId, keys);
  for (const name of reserved) taken.add(names.get(name) ?? '');
  return taken;
}

function idsOf(inputs: readonly HumanUserInput[]): string[] {
  return inputs.flatMap(({ id }) => (id === undefined ? [] : [id]));
}

function foldedNamesOf(inputs: readonly HumanUserInput[]): string[] {
  return inputs.map(({ profile }) => foldCase(profile.userName));
}
