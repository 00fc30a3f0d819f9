import { directoryErrors, requireUserName } from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import type { ServiceUser } from './service-user.js';

/** The settings of a service user that a client may set. */
export type ServiceUserSettings = Pick<
  ServiceUser,
  | 'userName'
  | 'name'
  | 'description'
  | 'active'
  | 'accessTokenType'
  | 'ignorePasswordOnCreate'
  | 'ignorePasswords'
  | 'plainScimErrors'
>;

const maxDescription = 500;

/** Returns the settings after checking them. Names have no space at either end. An empty description is removed. */
export function requireSettings({ description, ...settings }: ServiceUserSettings): ServiceUserSettings {
  if (description !== undefined && description.length > maxDescription) {
    throw new AppError(directoryErrors.valueInvalid, {
      detail: `description has more than ${maxDescription} characters`,
    });
  }
  return {
    ...settings,
    userName: requireUserName(settings.userName),
    name: requireName('name', settings.name),
    ...(description !== undefined && description !== '' && { description }),
  };
}
