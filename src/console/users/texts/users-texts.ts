/** The texts of the pages about users. */
export interface UsersTexts {
  readonly about: string;
  readonly add: string;
  readonly addMany: string;
  readonly export: string;
  readonly searchLabel: string;
  readonly state: string;
  readonly allUsers: string;
  readonly none: string;
  readonly noMatch: string;
  readonly moreBehind: string;
  readonly user: string;
  readonly email: string;
  readonly tabs: Readonly<Record<TabName, string>>;
  readonly fields: Readonly<Record<FieldName, string>>;
  readonly hints: Readonly<Partial<Record<FieldName, string>>>;
  readonly chooseManager: string;
  readonly noManager: string;
  readonly sections: Readonly<
    Record<'person' | 'contact' | 'work' | 'settings' | 'further' | 'metadata', string>
  >;
  /** Attributes of the standard for which the form has no field. */
  readonly further: Readonly<Record<'addresses' | 'photos' | 'ims' | 'roles' | 'entitlements', string>>;
  readonly noRoom: (names: string) => string;
  readonly noMetadata: string;
  readonly binary: (bytes: number) => string;
  readonly password: string;
  readonly byLink: string;
  readonly byMail: string;
  readonly noRole: string;
  readonly roleHint: string;
  readonly byPassword: string;
  readonly link: string;
  readonly linkHint: string;
  readonly openUser: string;
  readonly deactivate: string;
  readonly reactivate: string;
  readonly remove: string;
  readonly removeText: string;
  readonly removeInstead: string;
  readonly removeCounts: (counts: { groups: number; sessions: number; roles: number | undefined }) => string;
  readonly resetPassword: string;
  readonly resetText: string;
  readonly makeLink: string;
  readonly mailLink: (address: string) => string;
  readonly requireChange: string;
  readonly unlock: string;
  readonly removeTotp: string;
  readonly removeTotpText: string;
  readonly removePasskey: string;
  readonly removePasskeyText: string;
  readonly removeIdentity: string;
  readonly removeIdentityText: string;
  readonly endSession: string;
  readonly endSessions: string;
  readonly endSessionsHint: string;
  readonly done: Readonly<Record<DoneName, string>>;
  readonly signIn: SignInTexts;
  readonly sessions: SessionsTexts;
  readonly roles: RolesTexts;
  readonly log: LogTexts;
  readonly conflict: ConflictTexts;
}

export type TabName = 'profile' | 'signIn' | 'sessions' | 'roles' | 'log';

export type FieldName =
  | 'userName'
  | 'givenName'
  | 'familyName'
  | 'middleName'
  | 'honorificPrefix'
  | 'honorificSuffix'
  | 'displayName'
  | 'nickName'
  | 'emails'
  | 'phoneNumbers'
  | 'title'
  | 'userType'
  | 'employeeNumber'
  | 'organization'
  | 'division'
  | 'department'
  | 'costCenter'
  | 'manager'
  | 'preferredLanguage'
  | 'locale'
  | 'timezone'
  | 'externalId'
  | 'profileUrl'
  | 'website'
  | 'birthdate'
  | 'gender';

export type DoneName =
  | 'added'
  | 'addedByMail'
  | 'addedWithoutMail'
  | 'addedWithoutLink'
  | 'addedWithoutRole'
  | 'saved'
  | 'deleted'
  | 'deactivated'
  | 'reactivated'
  | 'unlocked'
  | 'changeRequired'
  | 'linkMailed'
  | 'totpRemoved'
  | 'sessionEnded'
  | 'passkeyRemoved'
  | 'identityRemoved'
  | 'sessionsEnded'
  | 'browserForgotten'
  | 'consentRevoked'
  | 'joined'
  | 'left'
  | 'roleGiven'
  | 'roleTaken';

export interface SignInTexts {
  readonly can: string;
  readonly cannot: string;
  readonly obstacles: Readonly<
    Record<
      | 'inactive'
      | 'noPassword'
      | 'passwordsOff'
      | 'factorMissing'
      | 'passwordLocked'
      | 'loginNameLocked'
      | 'codeLocked',
      string
    >
  >;
  readonly asksFor: string;
  readonly steps: Readonly<
    Record<
      'code' | 'mailCode' | 'passkey' | 'recovery' | 'enrol' | 'enrolPasskey' | 'verifyEmail' | 'newPassword',
      string
    >
  >;
  readonly set: string;
  readonly notSet: string;
  readonly mustChange: string;
  readonly secondFactor: string;
  readonly enrolled: string;
  readonly passkeys: Readonly<
    Record<
      'title' | 'name' | 'authenticator' | 'place' | 'synced' | 'bound' | 'added' | 'used' | 'former',
      string
    >
  >;
  readonly identities: Readonly<Record<'title' | 'connection' | 'subject' | 'gone', string>>;
  readonly locks: string;
  readonly noLocks: string;
  readonly lockOf: Readonly<Record<'password' | 'loginName' | 'code', string>>;
  readonly failures: string;
  readonly until: string;
  readonly lock: string;
  readonly loginNames: string;
  readonly loginNamesHint: string;
  readonly lastAccepted: string;
  readonly refused: string;
  readonly noneRefused: string;
  readonly time: string;
  readonly reason: string;
  readonly reasons: Readonly<Record<'password' | 'code' | 'passkey' | 'lock', string>>;
}

interface SessionsTexts {
  readonly none: string;
  readonly title: string;
  readonly device: string;
  readonly lastUsed: string;
  readonly signedIn: string;
  readonly expires: string;
  readonly provedBy: string;
  readonly methods: Readonly<Record<string, string>>;
  readonly browsers: string;
  readonly browsersHint: string;
  readonly remembered: string;
  readonly forget: string;
  readonly consents: string;
  readonly consentsHint: string;
  readonly noConsents: string;
  readonly application: string;
  readonly scopes: string;
  readonly revoke: string;
}

interface RolesTexts {
  readonly groups: string;
  readonly noGroups: string;
  readonly join: string;
  readonly joinHint: string;
  readonly chooseGroup: string;
  readonly noGroupFound: string;
  readonly isMember: string;
  readonly leave: string;
  readonly inOrganization: string;
  readonly inInstance: string;
  readonly byGroups: string;
  readonly noRoles: string;
  readonly role: string;
  readonly give: string;
  readonly take: string;
}

interface LogTexts {
  readonly aboutUser: string;
  readonly byUser: string;
  readonly none: string;
}

interface ConflictTexts {
  readonly text: string;
  readonly field: string;
  readonly before: string;
  readonly now: string;
  readonly yours: string;
  readonly lastChange: string;
}
