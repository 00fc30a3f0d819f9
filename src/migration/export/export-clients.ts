import { type Application, settingsOf, signInSettings } from '#src/clients/applications/index.js';
import type { ClientKey, ClientSecret } from '#src/clients/credentials/index.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import { type ApiAppRecord, type OidcAppRecord, sharedSettings } from '../format/application.record.js';
import {
  type KeyRecord,
  type SecretRecord,
  toFederatedCredentialRecord,
  toKeyRecord,
  toSecretRecord,
} from '../format/credential-records.js';
import { exportedDates } from '../format/dates.record.js';
import type { MachineUserRecord } from '../format/machine-user.record.js';

/** An export with passwords also has the hashes of client secrets. Public keys are no secrets: every export has them. */
interface SecretsWanted {
  readonly withPasswords: boolean;
}

export function exportOidcApp(application: Application, wanted: SecretsWanted): OidcAppRecord | undefined {
  const { type } = application;
  if (type === 'api') return undefined;
  return {
    ...placeOf(application),
    app: { ...sharedOf(application, wanted), type, ...settingsOf(application, signInSettings) },
  };
}

export function exportApiApp(application: Application, wanted: SecretsWanted): ApiAppRecord | undefined {
  if (application.type !== 'api') return undefined;
  return { ...placeOf(application), app: sharedOf(application, wanted) };
}

export function exportMachineUser(user: ServiceUser, wanted: SecretsWanted): MachineUserRecord {
  const { id, userName, name, description, active, accessTokenType, ignorePasswordOnCreate } = user;
  const { federatedCredentials = [] } = user;
  return {
    userId: id,
    user: {
      userName,
      ...exportedDates(user),
      name,
      ...(description !== undefined && { description }),
      active,
      accessTokenType,
      ignorePasswordOnCreate,
      ...(user.ignorePasswords && { ignorePasswords: true }),
      ...(user.plainScimErrors && { plainScimErrors: true }),
      singleAudience: user.singleAudience === true,
      ...credentialsOf(user, wanted),
      ...(federatedCredentials.length > 0 && {
        federatedCredentials: federatedCredentials.map(toFederatedCredentialRecord),
      }),
    },
  };
}

function placeOf({ id, projectId }: Application) {
  return { ...(projectId !== undefined && { projectId }), appId: id };
}

/** What both kinds of applications have. */
function sharedOf(application: Application, wanted: SecretsWanted): ApiAppRecord['app'] {
  const { name, active } = application;
  return {
    name,
    active,
    ...settingsOf(application, sharedSettings),
    singleAudience: application.singleAudience === true,
    ...credentialsOf(application, wanted),
  };
}

function credentialsOf(
  { secrets, keys }: { readonly secrets: readonly ClientSecret[]; readonly keys: readonly ClientKey[] },
  { withPasswords }: SecretsWanted,
): { clientSecrets?: SecretRecord[]; clientKeys?: KeyRecord[] } {
  return {
    ...(withPasswords && secrets.length > 0 && { clientSecrets: secrets.map(toSecretRecord) }),
    ...(keys.length > 0 && { clientKeys: keys.map(toKeyRecord) }),
  };
}
