import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import { requireName } from '../organizations/organization-rules.js';
import { requireUserName } from '../users/value-rules.js';
import type { ServiceUser } from './service-user.js';

/** What a client may set of a service user. */
export type ServiceUserSettings = Pick<
  ServiceUser,
  'userName' | 'name' | 'description' | 'active' | 'accessTokenType' | 'ignorePasswordOnCreate'
>;

const maxDescription = 500;

/** Checked settings: names without space at either end; an empty description is none. */
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
