import type { ExtensionValues } from './extension-schema.js';

/** A person of one organization, as the directory stores and returns it. It never contains credentials. */
export interface User extends UserProfile {
  /** UUIDv7, or the identifier from an import. */
  readonly id: string;
  readonly orgId: string;
  /** Increments by one with every event. It is also the sequence of that event. */
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
  /** When an import added the user, if its file gives the user another date of creation. */
  readonly imported?: Date;
  readonly loginNamesSince?: LoginNamesSince;
}

/** When a user got its login names. A name that it has since its creation has no time. */
export interface LoginNamesSince {
  readonly userName?: Date;
  /** The primary address. */
  readonly email?: Date;
}

/**
 * The attributes of a user that a client may set. Absent means unassigned (RFC 7643 section 2.5). It is never null or ''.
 * No list but `emails` is empty.
 */
export interface UserProfile {
  userName: string;
  /** As all clients see it that have none of their own. */
  externalId?: string;
  /** The externalIds of clients that have their own (decision 84). Not empty. */
  clientExternalIds?: ClientExternalId[];
  /** Set if no other user of the organization may have the externalId, nor any of `clientExternalIds`. */
  externalIdUnique?: true;
  active: boolean;
  /** Empty if the user has no name. */
  name: PersonName;
  /** As a client gave it, or else made of the names or the userName (`display-name.ts`). */
  displayName: string;
  /** Set if a client gave `displayName`. It then stays when the names change. */
  displayNameGiven?: true;
  nickName?: string;
  profileUrl?: string;
  /** http or https URL of the user's own site. */
  website?: string;
  /** `YYYY-MM-DD`, `0000-MM-DD` or `YYYY` (OpenID Connect Core section 5.1). */
  birthdate?: string;
  /** `female`, `male` or another word. */
  gender?: string;
  title?: string;
  /** How the organization knows the employee (RFC 7643 section 4.3, with the next five). */
  employeeNumber?: string;
  costCenter?: string;
  organization?: string;
  division?: string;
  department?: string;
  /** The identifier of the user who is the manager. That user need not exist. */
  manager?: string;
  userType?: string;
  /** BCP 47 language tag. The directory fills in `en`. */
  preferredLanguage: string;
  /** Set if a client gave `en`. Any other language was given in any case. */
  preferredLanguageGiven?: true;
  /** BCP 47 language tag. */
  locale?: string;
  /** IANA time zone name. */
  timezone?: string;
  /** Exactly one is primary. Empty if the user has none. The user then gets no mail. */
  emails: MultiValue[];
  phoneNumbers?: MultiValue[];
  ims?: LabelledValue[];
  addresses?: Address[];
  photos?: LabelledValue[];
  roles?: LabelledValue[];
  entitlements?: LabelledValue[];
  /** Values of attributes that the organization has registered. */
  extensions?: ExtensionValues;
}

/** The externalId that one provisioning client, the SCIM client of a connection, gave a user. No other client sees it. */
export interface ClientExternalId {
  readonly serviceUserId: string;
  /** Absent if the client has taken its externalId away. It then sees none, and not the shared one. */
  readonly value?: string;
}

export interface PersonName {
  /** The full name as a client gave it. Clients see the displayName instead if it is absent. */
  formatted?: string;
  familyName?: string;
  givenName?: string;
  middleName?: string;
  honorificPrefix?: string;
  honorificSuffix?: string;
}

export interface MultiValue {
  value: string;
  display?: string;
  type?: string;
  primary: boolean;
  /**
   * False until the owner has proved the value. Absent if a provisioning client wrote the value, because the service
   * trusts that client.
   */
  verified?: boolean;
}

interface LabelledValue {
  value: string;
  display?: string;
  type?: string;
  primary?: boolean;
}

export interface Address {
  display?: string;
  type?: string;
  streetAddress?: string;
  locality?: string;
  region?: string;
  postalCode?: string;
  country?: string;
  formatted?: string;
  primary?: boolean;
}

/** A profile as a client sends it. Parts that the directory fills in may be absent. */
export type UserProfileInput = Omit<
  UserProfile,
  | 'active'
  | 'externalIdUnique'
  | 'name'
  | 'displayName'
  | 'displayNameGiven'
  | 'preferredLanguage'
  | 'preferredLanguageGiven'
  | 'emails'
  | 'phoneNumbers'
> & {
  active?: boolean;
  name?: PersonName;
  /** If it is absent, it is made of the names, or is the userName. */
  displayName?: string;
  preferredLanguage?: string;
  emails?: (Omit<MultiValue, 'primary'> & { primary?: boolean })[];
  phoneNumbers?: (Omit<MultiValue, 'primary'> & { primary?: boolean })[];
};

/** Whether the person has an address for mail that counts: one that nobody called unproved. */
export function receivesMail(user: Pick<UserProfile, 'emails'>): boolean {
  const address = primaryEmail(user);
  return address !== undefined && address.verified !== false;
}

/** Returns the address to which the person gets mail. */
export function primaryEmail({ emails }: Pick<UserProfile, 'emails'>): MultiValue | undefined {
  return emails.find(({ primary }) => primary);
}
