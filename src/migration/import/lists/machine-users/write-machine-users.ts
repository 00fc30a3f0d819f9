import { type Happening, newEvents } from '#src/audit/new-event.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import { toFederatedCredentials } from '../credentials/federated-credential-records.js';
import { toKeys } from '../credentials/key-records.js';
import { toSecret } from '../credentials/secret-records.js';
import type { SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import type { TakenIdentifiers } from '../shared/taken-identifiers.js';
import type { MachineUserItem } from './machine-user-item.js';

/** What a part adds. */
interface MachineUsersToAdd {
  readonly created: readonly MachineUserItem[];
  readonly identifiers: TakenIdentifiers;
  /** The issuer of this service. */
  readonly thisIssuer: string;
}

/** Returns what a plan does in its transaction: it adds the service users of records. */
export function addMachineUsers(
  { serviceUsers, events }: Pick<SectionDeps, 'serviceUsers' | 'events'>,
  { orgId, editor, now }: Pick<SectionContext, 'orgId' | 'editor' | 'now'>,
  { created, identifiers, thisIssuer }: MachineUsersToAdd,
): NonNullable<SectionPlan['write']> {
  const users = created.map((item) => newServiceUser(item, { orgId, thisIssuer }));
  return async (transaction) => {
    const ids = created.map(({ id }) => id);
    await identifiers.reserve(ids, transaction);
    await serviceUsers.insert(orgId, users, transaction);
    await events.append(
      users.flatMap((user) =>
        newEvents('user', { ...user, lastModified: now }, { happened: happenedTo(user), editor }),
      ),
      transaction,
    );
  };
}

function newServiceUser(
  { id, dates, content }: MachineUserItem,
  { orgId, thisIssuer }: { orgId: string; thisIssuer: string },
): ServiceUser {
  const { settings, singleAudience = true, secrets = [], keys = [], trusts = [] } = content;
  return {
    ...settings,
    id,
    orgId,
    secrets: secrets.map(toSecret),
    keys: toKeys(keys),
    ...(trusts.length > 0 && { federatedCredentials: toFederatedCredentials(trusts, thisIssuer) }),
    ...(singleAudience && { singleAudience }),
    // Each event of a new object has a version of its own.
    version: 1 + keys.length + trusts.length,
    ...dates,
  };
}

/** What an administrator would have done, one step after the other. */
function happenedTo({ userName, name, active, keys, federatedCredentials = [] }: ServiceUser): Happening[] {
  return [
    ['user.machine.added', { userName, name, active }],
    ...keys.map(({ kid }): Happening => ['user.machine.key.added', { kid }]),
    ...federatedCredentials.map(
      ({ id: credentialId, issuer, subject, audience }): Happening => [
        'user.machine.federatedCredential.added',
        { credentialId, issuer, subject, audience },
      ],
    ),
  ];
}
