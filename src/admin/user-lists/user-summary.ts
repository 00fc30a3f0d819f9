import Type from 'typebox';
import type { ListedUser } from '#src/people/search-people/index.js';
import { timestamp } from '../http/schemas.js';

/** What lists show of a user. SCIM has the whole user. */
export const userSummary = Type.Object({
  id: Type.String(),
  userName: Type.String(),
  displayName: Type.String(),
  active: Type.Boolean(),
  email: Type.Optional(Type.String({ description: 'The primary address' })),
  created: timestamp,
  lastModified: timestamp,
});

export function summaryToResponse({ emails, created, lastModified, ...user }: ListedUser) {
  const primary = emails.find((email) => email.primary) ?? emails[0];
  return {
    ...user,
    ...(primary && { email: primary.value }),
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
