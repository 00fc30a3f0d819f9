/** The names of the claims with the values of a new person. An absent one is not read. */
export type ClaimNames = Partial<Record<MappedAttribute, string>>;

export const mappedAttributes = [
  'userName',
  'givenName',
  'familyName',
  'displayName',
  'email',
  'phoneNumber',
  'preferredLanguage',
  'locale',
  'timezone',
  'title',
  'department',
  'roles',
  'entitlements',
] as const;

/** Attributes that are lists, of which every text of a claim becomes a value. They are those of SCIM, and give no right in this service. */
export const mappedLists = ['roles', 'entitlements'] as const satisfies readonly MappedAttribute[];

export type MappedAttribute = (typeof mappedAttributes)[number];

/** How claims become values of people and memberships of groups, beyond the plain names of `ClaimNames`. */
export interface ClaimMapping {
  /** `first`: for new people alone. `always`: at each sign-in. */
  readonly when: 'first' | 'always';
  /** Each attribute once. It takes the place of the plain name. */
  readonly values: readonly MappedValue[];
  /** Whoever has none of the values of a group is taken out of it. Groups that are not named stay as they are. */
  readonly groups: readonly MappedGroup[];
}

/** Where the value of an attribute comes from. */
export interface MappedValue {
  readonly to: MappedAttribute;
  /** Of these claims, the first with a value counts. Of a list, its first text, or all for {@link mappedLists}. */
  readonly from: readonly string[];
  /** The value if none of the claims has one. */
  readonly constant?: string;
  readonly lowerCase?: boolean;
}

/** A value of a claim whose holders are members of a group. Roles come by groups that hold them. */
interface MappedGroup {
  /** A claim with a text or a list of texts, such as `groups` with identifiers of groups at the provider. */
  readonly claim: string;
  readonly value: string;
  readonly groupId: string;
}

export const noClaimMapping: ClaimMapping = { when: 'first', values: [], groups: [] };

/** The most claims of which the first counts. */
export const mostMappedClaims = 5;
export const mostMappedGroups = 100;
/** The longest constant, and the longest value of a claim that is read, in characters. */
export const longestClaimValue = 500;
/** The most texts of a claim that are read. Entra sends at most 200 groups. */
export const mostClaimTexts = 1_000;
