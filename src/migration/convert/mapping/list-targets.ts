/** The targets with several values that become a list of `user.scim`. */
export const listTargets = ['emails', 'phoneNumbers', 'photos', 'ims', 'roles', 'entitlements'] as const;
export type ListTarget = (typeof listTargets)[number];

/** The parts of a postal address (RFC 7643 section 4.1.2). */
export const addressTargets = [
  'streetAddress',
  'locality',
  'region',
  'postalCode',
  'country',
  'formatted',
].map((part) => `addresses.${part}`);
