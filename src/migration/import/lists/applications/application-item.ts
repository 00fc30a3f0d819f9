import {
  type Application,
  type ApplicationSettings,
  type GivenSettings,
  requireApplicationSettings,
  settingNames,
  settingsOf,
  usesSecret,
  withDefaults,
} from '#src/clients/applications/index.js';
import {
  type KeyRecord,
  type SecretRecord,
  toKeyRecord,
  toSecretRecord,
} from '../../../format/credential-records.js';
import { differingWhenStated } from '../credentials/differing-when-stated.js';
import { toKeys } from '../credentials/key-records.js';
import { withoutOthers } from '../credentials/secret-records.js';
import { RecordFailure } from '../section/record-failure.js';
import { differingNames } from '../shared/other-content.js';
import type { RecordItem } from '../shared/record-decisions.js';

/** What a record says of an application. */
interface ApplicationContent {
  readonly settings: ApplicationSettings;
  readonly active: boolean;
  /** Absent if the file does not say it. */
  readonly singleAudience?: boolean;
  /** Absent if the file has none. An export has them only together with passwords. */
  readonly secrets?: readonly SecretRecord[];
  /** Absent if the file has none. Such a record says nothing about keys. */
  readonly keys?: readonly KeyRecord[];
}

export type ApplicationItem = RecordItem<ApplicationContent>;

/** An application as a record of either list has it. */
type GivenApplication = GivenSettings & {
  readonly active?: boolean;
  readonly singleAudience?: boolean;
  readonly clientSecrets?: readonly SecretRecord[];
  readonly clientKeys?: readonly KeyRecord[];
};

/** Reads the application of a record. @throws RecordFailure, and AppError `directory.valueInvalid` */
export function toApplicationItem(
  id: string,
  { active = true, singleAudience, clientSecrets, clientKeys, ...given }: GivenApplication,
): ApplicationItem {
  if (!/^[\w.~-]{1,200}$/.test(id)) {
    throw new RecordFailure('VALUE-INVALID', 'appId must be 1 to 200 letters, digits, or . _ ~ -');
  }
  const settings = settingsOf(requireApplicationSettings(withDefaults(given)), settingNames);
  if (clientSecrets !== undefined && !usesSecret(settings.authMethod)) {
    throw new RecordFailure('VALUE-INVALID', 'The application does not authenticate with a secret');
  }
  const secrets = clientSecrets?.map(withoutOthers);
  const keys = clientKeys && toKeys(clientKeys).map(toKeyRecord);
  return {
    id,
    key: id,
    content: {
      settings,
      active,
      ...(singleAudience !== undefined && { singleAudience }),
      ...(secrets && { secrets }),
      ...(keys && { keys }),
    },
  };
}

/** The content of a stored application, in the form of a record. */
export function applicationContent(application: Application): ApplicationContent {
  const { active, singleAudience = false, secrets, keys } = application;
  return {
    settings: settingsOf(application, settingNames),
    active,
    singleAudience,
    secrets: secrets.map(toSecretRecord),
    keys: keys.map(toKeyRecord),
  };
}

function whenStated({ singleAudience, secrets, keys }: ApplicationContent) {
  return { singleAudience, clientSecrets: secrets, clientKeys: keys };
}

/** The names in which a record differs from the stored application. */
export function applicationDifferences(stored: ApplicationContent, given: ApplicationContent): string[] {
  // The other settings of the two lists do not compare, and a dry run does not read the other list.
  if ((stored.settings.type === 'api') !== (given.settings.type === 'api')) return ['type'];
  return [
    ...differingNames(
      { ...stored.settings, active: stored.active },
      { ...given.settings, active: given.active },
    ),
    ...differingWhenStated(whenStated(stored), whenStated(given)),
  ];
}
