import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import {
  type FederatedCredential,
  type FederatedCredentialSettings,
  newFederatedCredential,
  withFederatedCredential,
  withoutFederatedCredential,
} from '../credentials/federated-credential.js';
import type { IssuerKeys } from '../credentials/published-keys.js';
import type { ServiceUser } from '../service-users/service-user.js';
import { type WriteServiceUserDeps, writeServiceUser } from '../service-users/write-service-user.js';

type AddFederatedCredentialDeps = WriteServiceUserDeps & {
  readonly issuerKeys: Pick<IssuerKeys, 'requireUsable'>;
  readonly config: { readonly baseUrl: string };
};

/**
 * Lets a service user be whoever has a JWT of this issuer, subject and audience. The keys of the issuer are read first, so that a
 * wrong address is noticed now.
 * @throws AppError `directory.issuerUnusable`, `directory.federatedCredentialExists`, `directory.federatedCredentialLimit`,
 * `directory.valueInvalid` and the errors of {@link writeServiceUser}
 */
export async function addFederatedCredential(
  deps: AddFederatedCredentialDeps,
  target: Target,
  settings: FederatedCredentialSettings,
): Promise<FederatedCredential> {
  const added = newFederatedCredential(settings, { now: deps.clock.now(), thisIssuer: deps.config.baseUrl });
  const withAdded = (current: ServiceUser) =>
    withFederatedCredential(current.federatedCredentials ?? [], added);
  // The issuer is asked only for a credential that can be kept.
  const found = await deps.serviceUsers.find(target.orgId, target.id);
  if (found === undefined) throw new AppError(directoryErrors.serviceUserNotFound);
  withAdded(found);
  await deps.issuerKeys.requireUsable(target.orgId, added.issuer);
  const { id: credentialId, issuer, subject, audience } = added;
  await writeServiceUser(deps, target, (current) => ({
    next: {
      ...current,
      federatedCredentials: withAdded(current),
    },
    happened: [['user.machine.federatedCredential.added', { credentialId, issuer, subject, audience }]],
  }));
  return added;
}

/**
 * Removes a trust. From then on, JWTs that only it covered are refused. Access tokens that were issued for them last until they
 * expire, as with a removed secret.
 * @throws AppError `directory.federatedCredentialNotFound` and the errors of {@link writeServiceUser}
 */
export async function removeFederatedCredential(
  deps: WriteServiceUserDeps,
  target: Target,
  credentialId: string,
): Promise<void> {
  await writeServiceUser(deps, target, (current) => ({
    next: {
      ...current,
      federatedCredentials: withoutFederatedCredential(current.federatedCredentials ?? [], credentialId),
    },
    happened: [['user.machine.federatedCredential.removed', { credentialId }]],
  }));
}
