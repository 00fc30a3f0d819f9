import { foldCase } from '#src/directory/index.js';
import type { Rooms } from '#src/rooms.js';
import type { Output } from '../terminal/output.js';
import { table } from '../terminal/table.js';

/** Somebody with the role IAM_OWNER. */
export interface Owner {
  readonly id: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly kind: 'person' | 'serviceUser';
  readonly userName: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly hasSecondFactor: boolean;
}

const pageLength = 100;

/** Finds every owner of the instance: people first, then service users. An owner whose organization is gone is left out. */
export async function findOwners(rooms: Rooms): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (let after: string | undefined; ; ) {
    const query = { limit: pageLength, ...(after !== undefined && { after }) };
    const page = await rooms.memberships.page(undefined, query);
    for (const { userId } of page) {
      const owner = (await findPerson(rooms, userId)) ?? (await findServiceUser(rooms, userId));
      if (owner !== undefined) owners.push(owner);
    }
    after = page.at(-1)?.id;
    if (page.length < pageLength) break;
  }
  return owners.sort((a, b) =>
    a.kind === b.kind ? compare(a.userName, b.userName) : compare(a.kind, b.kind),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

async function findPerson({ users, accounts, organizations }: Rooms, id: string): Promise<Owner | undefined> {
  const orgId = await users.organizationOf(id);
  const account = orgId === undefined ? undefined : await accounts.find(orgId, id);
  const organization = account && (await organizations.find(account.user.orgId));
  if (account === undefined || organization === undefined) return undefined;
  const { userName, displayName, active } = account.user;
  const hasSecondFactor = account.totp !== undefined;
  const of = { id, orgId: organization.id, orgName: organization.name };
  return { ...of, kind: 'person', userName, displayName, active, hasSecondFactor };
}

async function findServiceUser(
  { serviceUsers, organizations }: Rooms,
  id: string,
): Promise<Owner | undefined> {
  const found = await serviceUsers.findById(id);
  const organization = found && (await organizations.find(found.orgId));
  if (found === undefined || organization === undefined) return undefined;
  const { userName, name, active } = found;
  const of = { id, orgId: organization.id, orgName: organization.name };
  return { ...of, kind: 'serviceUser', userName, displayName: name, active, hasSecondFactor: false };
}

/** Returns the people with this login name, in any letter case, or this identifier. */
export function ownersNamed(owners: readonly Owner[], name: string): Owner[] {
  return owners.filter(
    ({ id, kind, userName }) => kind === 'person' && (id === name || foldCase(userName) === foldCase(name)),
  );
}

/** Prints owners as a table. */
export function printOwners(output: Output, owners: readonly Owner[]): void {
  const rows = owners.map((owner) => [
    owner.userName,
    owner.displayName,
    owner.kind === 'person' ? 'person' : 'service user',
    owner.active ? 'active' : 'inactive',
    owner.hasSecondFactor ? 'yes' : 'no',
    owner.orgName,
    owner.id,
  ]);
  output.print(table(['login name', 'name', 'kind', 'state', 'second factor', 'organization', 'id'], rows));
}
