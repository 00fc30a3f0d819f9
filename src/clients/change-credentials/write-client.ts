import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { usesSecret } from '../applications/application-rules.js';
import { type WriteApplicationDeps, writeApplication } from '../applications/write-application.js';
import type { ClientKey } from '../credentials/client-key.js';
import type { ClientSecret } from '../credentials/client-secret.js';
import { type WriteServiceUserDeps, writeServiceUser } from '../service-users/write-service-user.js';

export type WriteClientDeps = WriteApplicationDeps & WriteServiceUserDeps;

/** A client: an application or a service user. Both authenticate with the same kinds of keys and secrets. */
export interface ClientTarget extends Target {
  readonly kind: 'application' | 'serviceUser';
}

interface Credentials {
  readonly keys: readonly ClientKey[];
  readonly secrets: readonly ClientSecret[];
}

/** The credentials of a client, and whether the client authenticates with a secret. */
interface ClientState extends Credentials {
  readonly usesSecret: boolean;
}

/** The changed credentials, and the event of the change. */
interface ClientStep {
  readonly changed: Partial<Credentials>;
  readonly happened: 'key.added' | 'key.removed' | 'secret.set' | 'secret.removed';
  readonly payload: Record<string, unknown>;
}

/**
 * The credentials of a client as they are stored now.
 * @throws AppError `directory.applicationNotFound`, `directory.serviceUserNotFound`
 */
export async function readCredentials(
  { applications, serviceUsers }: WriteClientDeps,
  { kind, orgId, id }: Pick<ClientTarget, 'kind' | 'orgId' | 'id'>,
): Promise<Credentials> {
  const isApplication = kind === 'application';
  const found = await (isApplication ? applications : serviceUsers).find(orgId, id);
  const { applicationNotFound, serviceUserNotFound } = directoryErrors;
  if (found === undefined) throw new AppError(isApplication ? applicationNotFound : serviceUserNotFound);
  return found;
}

/**
 * Writes one step of the credentials of a client with its event.
 * @throws AppError the errors of {@link writeApplication} or {@link writeServiceUser}
 */
export async function writeClient(
  deps: WriteClientDeps,
  { kind, ...target }: ClientTarget,
  step: (current: ClientState) => ClientStep,
): Promise<void> {
  if (kind === 'application') {
    await writeApplication(deps, target, (current) => {
      const made = step({ ...current, usesSecret: usesSecret(current.authMethod) });
      const { changed, happened, payload } = made;
      return { next: { ...current, ...changed }, happened: [[`application.${happened}`, payload]] };
    });
  } else {
    await writeServiceUser(deps, target, (current) => {
      const { changed, happened, payload } = step({ ...current, usesSecret: true });
      return { next: { ...current, ...changed }, happened: [[`user.machine.${happened}`, payload]] };
    });
  }
}
