/** English. */
export const en = {
  claim_userName: 'User name',
  claim_givenName: 'Given name',
  claim_familyName: 'Family name',
  claim_displayName: 'Display name',
  claim_email: 'Email address',
  claim_phoneNumber: 'Phone number',
  claim_preferredLanguage: 'Preferred language',
  claim_locale: 'Locale',
  claim_timezone: 'Time zone',
  claim_title: 'Title',
  claim_department: 'Department',
  claim_roles: 'Roles (SCIM)',
  claim_entitlements: 'Entitlements (SCIM)',
  goal_subject: 'identifier of the identity',
  goal_identifier: 'compared with the external identifier',
  goal_strength: 'strength of the sign-in',
  goal_time: 'age of the sign-in',
  goal_tenant: 'tenant or domain',
  goal_verified: 'whether the address is trusted',
  note_identifierMissing:
    'The claim that must equal the external identifier is missing. Nobody is linked by provisioning.',
  note_addressUntrusted:
    'The address is not verified at the provider, or is in no domain of the connection. It links nobody.',
  note_timeMissing:
    'The provider does not say when the person signed in (auth_time). Acts that need a fresh sign-in are refused.',
  note_factorsUnclaimed:
    'The provider does not say that the person proved several factors (amr with mfa, or a value of acr).',
  note_groupsElsewhere:
    'The groups are too many for the token, so it has none. Let the provider send only the groups of the application.',
  goal_groups: 'membership of groups',
  goal_session: 'end of the session',
  goal_checked: 'checked, and used for nothing else',
  note_certificateEnded:
    'The certificate in the metadata of the provider ended on {date}. Let the provider make another one, and give its metadata again.',
  note_certificateEndsSoon:
    'The certificate in the metadata of the provider ends on {date}. Let the provider make another one before.',
  note_secretEnded: 'The client secret ended on {date}. Make another one at the provider, and enter it.',
  note_secretEndsSoon: 'The client secret ends on {date}. Make another one at the provider before.',
};

/** What an answer of a provider is used for, and what to know of it. */
export type AnswerTexts = { readonly [Key in keyof typeof en]: string };
