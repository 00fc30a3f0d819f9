import { randomInt } from 'node:crypto';
import { addMembership } from '#src/access/memberships/index.js';
import { addPersonalAccessToken, addServiceUser } from '#src/clients/service-users/index.js';
import { addOrganization } from '#src/organizations/index.js';
import { addUser } from '#src/people/users/index.js';
import type { Rooms } from '#src/rooms.js';
import { takeInitLock } from './init-lock.js';
import type { FirstStart, FirstStartOutput } from './write-first-start.js';

interface InitOptions {
  readonly orgName: string;
  readonly adminUserName: string;
  readonly adminEmail: string;
  /** Called before anything is made. If the output cannot be opened, nothing is made. */
  readonly openOutput: () => Promise<FirstStartOutput>;
  /**
   * Life of the lock, in milliseconds. If a process dies while it initializes, others wait this long. Making everything
   * takes seconds.
   */
  readonly lockMs?: number;
}

const editor = { userId: 'muster-init', service: 'init' };
const tokenLifeMs = 365 * 24 * 3600 * 1000;

/**
 * Makes the first organization, human administrator and service user of an instance that has no IAM_OWNER, and writes
 * them to the output. One process does this at a time. The others wait for it and then look again.
 *
 * The role is given last, when the output is complete. It marks the instance as initialized. If the process ends
 * earlier, the instance has no owner and can be initialized again. The second run makes a new organization and
 * overwrites the output. The first organization stays without an owner, and the new owner may delete it.
 * @returns true if this call made them, false if the instance has an owner
 * @throws StartError if another process does not end, or the output cannot be written
 */
export async function initInstance(rooms: Rooms, options: InitOptions): Promise<boolean> {
  const { redis, config } = rooms;
  if (await hasOwner(rooms)) return false;
  const lock = await takeInitLock(redis, `${config.redisPrefix}:init`, options.lockMs ?? 30_000);
  try {
    if (await hasOwner(rooms)) return false;
    const output = await options.openOutput();
    let first: First;
    try {
      first = await makeFirst(rooms, options);
      await lock.renew();
    } catch (error) {
      await output.discard();
      throw error;
    }
    await output.write(first.start);
    for (const userId of first.owners) {
      await addMembership(rooms, { userId, role: 'IAM_OWNER', editor });
    }
    return true;
  } finally {
    await lock.release();
  }
}

async function hasOwner({ memberships }: Rooms): Promise<boolean> {
  return (await memberships.page(undefined, { limit: 1 })).length > 0;
}

interface First {
  readonly start: FirstStart;
  /** The service user comes first. If the process dies in between, its token can give the administrator the role. */
  readonly owners: readonly string[];
}

async function makeFirst(rooms: Rooms, options: InitOptions): Promise<First> {
  const { adminUserName, adminEmail } = options;
  const adminPassword = newPassword();
  const organization = await addOrganization(rooms, { name: options.orgName, editor });
  const profile = {
    userName: adminUserName,
    name: { givenName: 'Instance', familyName: 'Administrator' },
    emails: [{ value: adminEmail, primary: true }],
  };
  const admin = await addUser(rooms, {
    organization,
    draft: { profile, password: adminPassword },
    editor,
  });
  const serviceUser = await addServiceUser(rooms, {
    orgId: organization.id,
    userName: `${adminUserName}-service`,
    name: 'First service user',
    editor,
  });
  const { token } = await addPersonalAccessToken(rooms, {
    orgId: organization.id,
    userId: serviceUser.id,
    expires: new Date(rooms.clock.now().getTime() + tokenLifeMs),
    editor,
  });
  const start = {
    baseUrl: rooms.config.baseUrl,
    orgId: organization.id,
    adminUserName,
    adminPassword,
    adminToken: token,
  };
  return { start, owners: [serviceUser.id, admin.id] };
}

/**
 * Returns a password of 24 characters from four classes, without characters that look alike. It has 116 random bits.
 */
function newPassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const random = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${random}-aZ7`;
}
