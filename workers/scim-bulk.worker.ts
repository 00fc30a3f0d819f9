import { findActivePerson } from '#src/access/memberships/index.js';
import { type Organization, permissionsIn } from '#src/directory/index.js';
import { signInTooOld } from '#src/http/auth/fresh-sign-in.js';
import type { WorkerRooms } from '#src/rooms.js';
import { createBulkWrites } from '#src/scim/bulk/creation-group.js';
import { runBulk } from '#src/scim/bulk/run-bulk.js';
import { deserializeBulk, type StagedBulk } from '#src/scim/bulk/staged-bulk.js';
import { scimBaseUrl } from '#src/scim/http/base-url.js';
import {
  connectionClientOf,
  ignoredPasswordsOf,
  type ScimContext,
  wantsPlainErrors,
} from '#src/scim/operations/context.js';
import { userSchemaFor } from '#src/scim/schema/registered-schema.js';
import { claimJob } from './claim-job.js';
import type { JobHandler } from './run-job.js';

type BulkWorkerDeps = Parameters<typeof runBulk>[0] &
  Parameters<typeof claimJob>[0] &
  Pick<WorkerRooms, 'caches' | 'config' | 'giveWay' | 'users'>;

/** Runs SCIM Bulk jobs: run-bulk.ts states the promise. */
export function scimBulkWorker(deps: BulkWorkerDeps): JobHandler {
  const writes = createBulkWrites(deps);
  return async (attempt, logger) => {
    const claimed = await claimJob(deps, attempt, logger);
    if (claimed === undefined) return;
    const { job, body } = claimed;
    const staged = deserializeBulk(body);
    const organization = await deps.caches.organizations.get(staged.orgId);
    if (organization === undefined) throw new Error(`Organization ${staged.orgId} is gone`);
    const context = {
      organization,
      editor: { userId: staged.userId, service: 'bulk' },
      ...(await settingsOf(deps, staged, organization)),
      baseUrl: scimBaseUrl(deps.config.baseUrl, staged.orgId),
      ...(staged.signInIsOld && {
        refuseOldSignIn: () => {
          throw signInTooOld(deps.config, {});
        },
      }),
    };
    const permissions = () => permissionsNow(deps, staged);
    await runBulk(deps, { job, attempt, context, request: staged.request, permissions, writes });
  };
}

/** The settings of the caller at the start of the attempt. */
async function settingsOf(
  { caches }: Pick<WorkerRooms, 'caches'>,
  { userId }: StagedBulk,
  organization: Organization,
): Promise<Pick<ScimContext, 'connectionClient' | 'ignoredPasswords' | 'plainErrors' | 'userSchema'>> {
  const serviceUser = await caches.serviceUsers.get(userId);
  const connectionClient = await connectionClientOf(caches, serviceUser, organization.id);
  return {
    ...(connectionClient && { connectionClient }),
    userSchema: userSchemaFor(organization, connectionClient),
    ignoredPasswords: serviceUser === undefined ? 'never' : ignoredPasswordsOf(serviceUser),
    plainErrors: wantsPlainErrors(organization, serviceUser),
  };
}

/** What the caller may do now. It has no right if it is inactive or removed. */
async function permissionsNow(
  deps: Pick<WorkerRooms, 'caches' | 'users'>,
  { userId, orgId }: StagedBulk,
): Promise<ScimContext['permissions']> {
  const { caches } = deps;
  const serviceUser = await caches.serviceUsers.get(userId);
  const isActive = serviceUser?.active ?? (await findActivePerson(deps, userId)) !== undefined;
  const memberships = isActive ? await caches.memberships.get(userId) : [];
  return permissionsIn(memberships, orgId) ?? new Set();
}
