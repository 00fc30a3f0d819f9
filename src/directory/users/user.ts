/** A person of one organization, as the directory keeps and returns it. Credentials are never part of it. */
export interface User extends UserProfile {
  /** UUIDv7, or the identifier an import brought. */
  readonly id: string;
  readonly orgId: string;
  /** Counts up by one with every change; also the sequence of the change's event. */
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

/** What a client may set of a user. Absent means unassigned (RFC 7643 section 2.5): never null, '' or []. */
export interface UserProfile {
  userName: string;
  externalId?: string;
  active: boolean;
  name: PersonName;
  displayName: string;
  nickName?: string;
  profileUrl?: string;
  title?: string;
  userType?: string;
  /** BCP 47 language tag; the directory fills in `en`. */
  preferredLanguage: string;
  /** BCP 47 language tag. */
  locale?: string;
  /** IANA time zone name. */
  timezone?: string;
  /** At least one; exactly one is primary. */
  emails: MultiValue[];
  phoneNumbers?: MultiValue[];
  ims?: LabelledValue[];
  addresses?: Address[];
  photos?: LabelledValue[];
  roles?: DisplayedValue[];
  entitlements?: DisplayedValue[];
}

export interface PersonName {
  familyName: string;
  givenName: string;
  middleName?: string;
  honorificPrefix?: string;
  honorificSuffix?: string;
}

export interface MultiValue {
  value: string;
  type?: string;
  primary: boolean;
  /** False until its owner has proved to have it. Absent where a provisioning client wrote it, which vouches. */
  verified?: boolean;
}

export interface LabelledValue {
  value: string;
  type?: string;
}

export interface DisplayedValue {
  value: string;
  display?: string;
}

export interface Address {
  type?: string;
  streetAddress?: string;
  locality?: string;
  region?: string;
  postalCode?: string;
  country?: string;
  formatted?: string;
  primary?: boolean;
}

/** A profile as a client wrote it: parts the directory fills in may be absent. */
export type UserProfileInput = Omit<
  UserProfile,
  'active' | 'name' | 'displayName' | 'preferredLanguage' | 'emails' | 'phoneNumbers'
> & {
  active?: boolean;
  /** `formatted` stands for displayName where that is absent. */
  name: PersonName & { formatted?: string };
  displayName?: string;
  preferredLanguage?: string;
  emails: (Omit<MultiValue, 'primary'> & { primary?: boolean })[];
  phoneNumbers?: (Omit<MultiValue, 'primary'> & { primary?: boolean })[];
};
