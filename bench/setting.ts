import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { addClientSecret } from '#src/clients/change-credentials/client-secrets.js';
import { addPersonalAccessToken } from '#src/clients/service-users/add-personal-access-token.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import type { Organization } from '#src/directory/organization.js';
import { isInstanceRole, type Role } from '#src/directory/roles.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { createLogger } from '#src/platform/logger.js';
import { readConfig } from '#src/read-config.js';
import { openRooms, type Rooms } from '#src/rooms.js';
import { freePort } from '../dev/free-port.js';
import { startServices } from '../dev/services.js';
import { imageNodeOptions } from './processes.js';

export interface BenchClient {
  readonly id: string;
  readonly secret: string;
  readonly personalAccessToken: string;
}

/**
 * The objects that all measures share: the stores, the bench's own database, and an organization and a client in it.
 */
export interface Setting {
  readonly container: Rooms;
  readonly organization: Organization;
  readonly client: BenchClient;
  /** Environment of the product's processes. */
  readonly env: Record<string, string>;
  readonly baseUrl: string;
  readonly logFolder: string;
  /** The name of the engine that serves MongoDB. */
  readonly engine: string;
  /** Drops the database and the Redis keys, and stops the services that this run started. */
  close(): Promise<void>;
}

export const editor = { userId: 'bench', service: 'bench' };

/** @param settings further settings of the product's processes. An empty text leaves the default of the product. */
export async function openSetting(settings: Record<string, string> = {}): Promise<Setting> {
  const dataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');
  const services = await startServices({ dataDir, log: (message) => console.error(message) });
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const given = {
    PORT: String(port),
    MUSTER_BASE_URL: baseUrl,
    MONGODB_URL: services.mongodbUrl,
    MONGODB_DATABASE: name,
    REDIS_URL: services.redisUrl,
    REDIS_PREFIX: name,
    MUSTER_RATE_LIMIT_PER_ADDRESS: '0',
    MUSTER_RATE_LIMIT_REFUSED: '0',
    MUSTER_RATE_LIMIT_PER_CLIENT: '0',
    MUSTER_RATE_LIMIT_PER_ORGANIZATION: '0',
    MUSTER_RATE_LIMIT_PER_PERSON: '0',
    MUSTER_SHED_DELAY_MILLISECONDS: '0',
    // All areas together take longer than the usual hour.
    MUSTER_SERVICE_USER_TOKEN_SECONDS: '43200',
    // The end of each round cuts sign-ins and leaves them behind.
    NODE_OPTIONS: imageNodeOptions,
    // The peers write no log line per request either.
    LOG_LEVEL: 'warn',
    MUSTER_MASTER_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    ...settings,
  };
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const container = await openRooms(readConfig(env), {
    logger: createLogger({ level: 'warn', processName: 'bench' }),
  });
  const organization = await addOrganization(container, { name: 'Bench', editor });
  return {
    container,
    organization,
    client: await addClient(container, organization.id, 'IAM_OWNER'),
    env,
    baseUrl,
    logFolder: join(dataDir, 'logs'),
    engine: services.via.mongodb,
    async close() {
      await container.mongo.db.dropDatabase();
      await removeKeys(container, name);
      await container.close();
      await services.stop();
    },
  };
}

/** A service user with a role, a client secret and a personal access token. */
export async function addClient(
  container: Rooms,
  orgId: string,
  role: Role,
  userName = 'bench-client',
): Promise<BenchClient> {
  const serviceUser = await addServiceUser(container, { orgId, userName, editor });
  const { id: userId } = serviceUser;
  await addMembership(container, { userId, role, ...(!isInstanceRole(role) && { orgId }), editor });
  const { clientSecret } = await addClientSecret(container, {
    kind: 'serviceUser',
    orgId,
    id: userId,
    editor,
  });
  const expires = new Date(Date.now() + 24 * 3600 * 1000);
  const { token } = await addPersonalAccessToken(container, { orgId, userId, expires, editor });
  return { id: userId, secret: clientSecret, personalAccessToken: token };
}

async function removeKeys({ redis }: Rooms, name: string): Promise<void> {
  for (const pattern of [`${name}:*`, `{${name}:*`]) {
    const keys = await redis.keys(pattern);
    for (const key of keys) await redis.del(key);
  }
}
