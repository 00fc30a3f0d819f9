import { refusedValue, requireUserName } from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
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
  const checked = checkEach({
    description: () => requireShort(description),
    userName: () => requireUserName(settings.userName),
    name: () => requireName('name', settings.name),
  });
  return {
    ...settings,
    userName: checked.userName,
    name: checked.name,
    ...(description !== undefined && description !== '' && { description }),
  };
}

function requireShort(description = ''): void {
  if (description.length <= maxDescription) return;
  const detail = `description has more than ${maxDescription} characters`;
  throw refusedValue('description', 'tooLong', detail, { most: maxDescription });
}
