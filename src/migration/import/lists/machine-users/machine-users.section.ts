import { type Happening, newEvents } from '#src/audit/new-event.js';
import {
  requireSettings,
  type ServiceUser,
  type ServiceUserSettings,
} from '#src/clients/service-users/index.js';
import { foldCase } from '#src/directory/index.js';
import { machineUserRecord } from '../../../format/machine-user.record.js';
import { differingWhenStated } from '../credentials/differing-when-stated.js';
import {
  type FederatedCredentialRecord,
  toFederatedCredentialRecord,
  toFederatedCredentials,
} from '../credentials/federated-credential-records.js';
import { type KeyRecord, toKeyRecord, toKeys } from '../credentials/key-records.js';
import { type SecretRecord, toSecret, toSecretRecord, withoutOthers } from '../credentials/secret-records.js';
import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection, Outcome } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { type ImportedDates, importedDates } from '../shared/imported-dates.js';
import { differingNames, otherContent } from '../shared/other-content.js';
import { planRecords, type RecordItem } from '../shared/plan-records.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';
import {
  type TakenIdentifiers,
  type TakenIdentifiersDeps,
  takenIdentifiers,
} from '../shared/taken-identifiers.js';
import { type DeactivationsDeps, deactivateServiceUsers, withInstanceRole } from './deactivations.js';

type MachineUsersDeps = TakenIdentifiersDeps &
  DeactivationsDeps &
  Pick<SectionDeps, 'config' | 'serviceUsers' | 'events'>;

interface MachineUserContent {
  readonly settings: ServiceUserSettings;
  /** Absent if the file does not say it. */
  readonly singleAudience?: boolean;
  /** Absent if the file has none. An export has them only together with passwords. */
  readonly secrets?: readonly SecretRecord[];
  /** Absent if the file has none. Such a record says nothing about keys. */
  readonly keys?: readonly KeyRecord[];
  /** Absent if the file has none. Such a record says nothing about trusts. */
  readonly trusts?: readonly FederatedCredentialRecord[];
}

type MachineUserItem = RecordItem<MachineUserContent> & { readonly dates: ImportedDates };

const read = createRecordReader(machineUserRecord);

/**
 * `machineUsers`: service users. The file has their public keys, and none of their personal access tokens. An import that updates does no
 * more than deactivate those that exist. The report warns of what else their records would change.
 */
export function machineUsersSection(deps: MachineUsersDeps): ImportSection {
  return {
    key: 'machineUsers',
    errorType: 'machine_user',
    quota: 'serviceUsers',
    successKey: 'machineUserIds',
    phase: 5,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      const own = deps.config.baseUrl;
      let identifiers: TakenIdentifiers | undefined;
      let known: ReadonlyMap<string, ServiceUser> = new Map();
      const { outcomes, created, updated, reservations } = await planRecords<MachineUserItem>(
        records,
        context,
        {
          nameOf: nameBy('userId'),
          read(record) {
            const { userId, user } = read(record);
            const { clientSecrets, clientKeys, federatedCredentials, singleAudience, ...stated } = user;
            const { created, lastModified, ...given } = stated;
            const secrets = clientSecrets?.map(withoutOthers);
            const keys = clientKeys && toKeys(clientKeys).map(toKeyRecord);
            const trusts =
              federatedCredentials &&
              toFederatedCredentials(federatedCredentials, own).map(toFederatedCredentialRecord);
            const settings = settingsOf(
              requireSettings({
                name: given.userName,
                active: true,
                accessTokenType: 'opaque',
                ignorePasswordOnCreate: false,
                ...given,
              }),
            );
            const dates = importedDates({ created, lastModified }, now);
            const more = {
              ...(singleAudience !== undefined && { singleAudience }),
              ...(secrets && { secrets }),
              ...(keys && { keys }),
              ...(trusts && { trusts }),
            };
            return { id: userId, key: userId, dates, content: { settings, ...more } };
          },
          async survey(items, findReserved) {
            const ids = items.map(({ id }) => id);
            const userNames = items.map(({ content }) => content.settings.userName);
            // Before the stored objects are read: what another import adds in between is then among them, and skipped.
            identifiers = await takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'serviceUser' });
            const { taken } = identifiers;
            const found = await deps.serviceUsers.findTaken(orgId, { ids, userNames });
            const ofOrganization = found.filter((user) => user.orgId === orgId);
            const names = new Set(ofOrganization.map(({ userName }) => foldCase(userName)));
            known = new Map(ofOrganization.map((user) => [user.id, user]));
            const ended = items.filter(
              ({ id, content }) => !content.settings.active && known.get(id)?.active,
            );
            const ofInstance = await withInstanceRole(deps, context.update ? ended.map(({ id }) => id) : []);
            return {
              stored: new Map(ofOrganization.map((user) => [user.id, contentOf(user)])),
              storedDates: new Map(ofOrganization.map((user) => [user.id, user])),
              admit({ id, content }) {
                if (taken.has(id)) throw new RecordFailure('ID-TAKEN');
                const name = foldCase(content.settings.userName);
                if (names.has(name)) throw new RecordFailure('NAME-TAKEN');
                names.add(name);
              },
              merge({ id, content }, stored) {
                const isEnded = stored.settings.active && !content.settings.active;
                if (isEnded && !ofInstance.has(id)) {
                  return { ...stored, settings: { ...stored.settings, active: false } };
                }
                const why = isEnded
                  ? 'an update deactivates no service user with a role of the instance'
                  : 'an update does no more to a service user than deactivate it';
                throw otherContent(differencesOf(stored, content), why);
              },
            };
          },
          ownReservations: ({ id, content }) => [
            reservedName.userOf(orgId, id),
            reservedName.clientName(orgId, content.settings.userName),
          ],
          sharedReservations: ({ id }) => [reservedName.user(id)],
          differences: differencesOf,
        },
      );
      // The records of each kind, in the order of the file.
      const placesOf = (wanted: Outcome['kind']) =>
        outcomes.flatMap(({ kind }, record) => (kind === wanted ? [record] : []));
      const places = placesOf('created');
      const placesOfUpdated = placesOf('updated');
      const kept = updated.flatMap(({ item, content }, index) =>
        differencesOf(content, item.content).map((name) => ({
          record: placesOfUpdated[index] ?? 0,
          path: `user.${name}`,
        })),
      );
      const deactivated = updated.flatMap(({ item: { id, dates } }) => {
        const current = known.get(id);
        return current === undefined ? [] : [{ current, dates }];
      });
      const deactivation = deactivateServiceUsers(deps, context, deactivated);
      const foreign = created.flatMap(({ content: { trusts = [] } }, index) =>
        trusts
          .filter(({ audience }) => audience !== own)
          .map(() => ({ record: places[index] ?? 0, path: 'user.federatedCredentials[].audience' })),
      );
      const users = created.map(
        ({
          id,
          dates,
          content: { settings, singleAudience = true, secrets = [], keys = [], trusts = [] },
        }): ServiceUser => ({
          ...settings,
          id,
          orgId,
          secrets: secrets.map(toSecret),
          keys: toKeys(keys),
          ...(trusts.length > 0 && { federatedCredentials: toFederatedCredentials(trusts, own) }),
          ...(singleAudience && { singleAudience }),
          // Each event of a new object has a version of its own.
          version: 1 + keys.length + trusts.length,
          ...dates,
        }),
      );
      return {
        outcomes,
        kept: [...foreign, ...kept],
        reservations,
        async write(transaction) {
          const ids = created.map(({ id }) => id);
          await identifiers?.reserve(ids, transaction);
          await deps.serviceUsers.insert(orgId, users, transaction);
          await deps.events.append(
            users.flatMap((user) =>
              newEvents('user', { ...user, lastModified: now }, { happened: happenedTo(user), editor }),
            ),
            transaction,
          );
          await deactivation.write(transaction);
        },
        tried: deactivation.tried,
      };
    },
  };
}

/** The names of the settings that differ, and of the credentials that the record states. */
function differencesOf(stored: MachineUserContent, given: MachineUserContent): string[] {
  return [
    ...differingNames(stored.settings, given.settings),
    ...differingWhenStated(whenStated(stored), whenStated(given)),
  ];
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

function contentOf(user: ServiceUser): MachineUserContent {
  const { singleAudience = false, secrets, keys, federatedCredentials = [] } = user;
  return {
    settings: settingsOf(user),
    singleAudience,
    secrets: secrets.map(toSecretRecord),
    keys: keys.map(toKeyRecord),
    trusts: federatedCredentials.map(toFederatedCredentialRecord),
  };
}

function whenStated({ singleAudience, secrets, keys, trusts }: MachineUserContent) {
  return { singleAudience, clientSecrets: secrets, clientKeys: keys, federatedCredentials: trusts };
}

/** The settings alone. Absent settings are no properties, so that equal settings are equal objects. */
function settingsOf({
  description,
  ignorePasswords,
  plainScimErrors,
  ...user
}: ServiceUserSettings): ServiceUserSettings {
  return {
    userName: user.userName,
    name: user.name,
    ...(description !== undefined && { description }),
    active: user.active,
    accessTokenType: user.accessTokenType,
    ignorePasswordOnCreate: user.ignorePasswordOnCreate,
    ...(ignorePasswords && { ignorePasswords }),
    ...(plainScimErrors && { plainScimErrors }),
  };
}
