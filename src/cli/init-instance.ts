import { randomInt } from 'node:crypto';
import type { Container } from '#src/container.js';
import { addMembership } from '#src/directory/add-membership.js';
import { addOrganization } from '#src/directory/add-organization.js';
import { addPersonalAccessToken } from '#src/directory/add-personal-access-token.js';
import { addServiceUser } from '#src/directory/add-service-user.js';
import { addUser } from '#src/directory/add-users.js';
import type { FirstStart } from './write-first-start.js';

export interface InitOptions {
  readonly orgName: string;
  readonly adminUserName: string;
  readonly adminEmail: string;
}

const tokenLifeMs = 365 * 24 * 3600 * 1000;
const lockMs = 60_000;

/**
 * Makes the first organization, human administrator and service user of an instance that has no IAM_OWNER.
 * @returns what was made; undefined when the instance has an owner, or another process is making it right now
 */
export async function initInstance(
  container: Container,
  options: InitOptions,
): Promise<FirstStart | undefined> {
  const { redis, config, memberships } = container;
  const lock = `${config.redisPrefix}:init`;
  if ((await redis.set(lock, '1', 'PX', lockMs, 'NX')) === null) return undefined;
  try {
    const [owner] = await memberships.page(undefined, { limit: 1 });
    return owner === undefined ? await makeFirst(container, options) : undefined;
  } finally {
    await redis.del(lock);
  }
}

async function makeFirst(container: Container, options: InitOptions): Promise<FirstStart> {
  const { adminUserName, adminEmail } = options;
  const adminPassword = newPassword();
  const editor = { userId: 'muster-init', service: 'init' };
  const organization = await addOrganization(container, { name: options.orgName, editor });
  const profile = {
    userName: adminUserName,
    name: { givenName: 'Instance', familyName: 'Administrator' },
    emails: [{ value: adminEmail, primary: true }],
  };
  const admin = await addUser(container, {
    organization,
    draft: { profile, password: adminPassword },
    editor,
  });
  const serviceUser = await addServiceUser(container, {
    orgId: organization.id,
    userName: `${adminUserName}-service`,
    name: 'First service user',
    editor,
  });
  const { token } = await addPersonalAccessToken(container, {
    orgId: organization.id,
    userId: serviceUser.id,
    expires: new Date(container.clock.now().getTime() + tokenLifeMs),
    editor,
  });
  for (const userId of [admin.id, serviceUser.id]) {
    await addMembership(container, { userId, role: 'IAM_OWNER', editor });
  }
  return {
    baseUrl: container.config.baseUrl,
    orgId: organization.id,
    adminUserName,
    adminPassword,
    adminToken: token,
  };
}

/** 24 characters of four classes, without those that look alike: more than 128 random bits. */
function newPassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const random = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${random}-aZ7`;
}
