import {
  requireSettings,
  type ServiceUser,
  type ServiceUserSettings,
} from '#src/clients/service-users/index.js';
import {
  type FederatedCredentialRecord,
  type KeyRecord,
  type SecretRecord,
  toFederatedCredentialRecord,
  toKeyRecord,
  toSecretRecord,
} from '../../../format/credential-records.js';
import { machineUserRecord } from '../../../format/machine-user.record.js';
import { differingWhenStated } from '../credentials/differing-when-stated.js';
import { toFederatedCredentials } from '../credentials/federated-credential-records.js';
import { toKeys } from '../credentials/key-records.js';
import { withoutOthers } from '../credentials/secret-records.js';
import { type ImportedDates, importedDates } from '../shared/imported-dates.js';
import { differingNames } from '../shared/other-content.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader } from '../shared/record-reader.js';

/** What a record says of a service user. */
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

/** A record of `machineUsers`. */
export type MachineUserItem = RecordItem<MachineUserContent> & { readonly dates: ImportedDates };

const read = createRecordReader(machineUserRecord);

/**
 * Reads a record of `machineUsers`.
 * @param of `thisIssuer`: the issuer of this service. `now`: the time of the import
 * @throws RecordFailure, and AppError of the directory's rules
 */
export function readMachineUser(
  record: unknown,
  { thisIssuer, now }: { thisIssuer: string; now: Date },
): MachineUserItem {
  const { userId, user } = read(record);
  const { clientSecrets, clientKeys, federatedCredentials, singleAudience, ...stated } = user;
  const { created, lastModified, ...given } = stated;
  const secrets = clientSecrets?.map(withoutOthers);
  const keys = clientKeys && toKeys(clientKeys).map(toKeyRecord);
  const trusts =
    federatedCredentials &&
    toFederatedCredentials(federatedCredentials, thisIssuer).map(toFederatedCredentialRecord);
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
}

/** The names of the settings that differ, and of the credentials that the record states. */
export function machineUserDifferences(stored: MachineUserContent, given: MachineUserContent): string[] {
  return [
    ...differingNames(stored.settings, given.settings),
    ...differingWhenStated(whenStated(stored), whenStated(given)),
  ];
}

/** The content of a stored service user, in the form of a record. */
export function machineUserContent(user: ServiceUser): MachineUserContent {
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
