import { scimAttributeNames } from './human-user.record.js';

/**
 * Attributes of a person that a body can call stated: the source says each of them of every person. A record without such an attribute says that the
 * person has none. The names are the paths in a record.
 */
export const statableAttributes: readonly string[] = [
  ...['firstName', 'lastName', 'nickName', 'displayName', 'preferredLanguage', 'gender'].map(
    (name) => `profile.${name}`,
  ),
  'email',
  'phone',
  ...scimAttributeNames
    .filter((name) => !['active', 'displayNameGiven', 'preferredLanguageGiven', 'extensions'].includes(name))
    .map((name) => `scim.${name}`),
];
