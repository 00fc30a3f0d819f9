/** When an act needs a fresh sign-in: always, or in the case that ends a sentence with "if". */
type Need = 'always' | { readonly if: string };

/**
 * The one list of the operations for which a person must have signed in lately, by the reason. The permissions of `roles.ts` say who may
 * call an operation. This list says which calls a stolen session must not make. A service user proves itself with each token, so it
 * needs no sign-in. A hook of all routes checks what is `always`. A route with a case checks the case: see `requireFreshFor` and
 * `ScimContext.refuseOldSignIn`. The test `test/integration/admin/fresh-acts.test.ts` calls each operation. `docs/fresh-sign-in.md` and the
 * description of the API are made from this list.
 */
const needs = {
  'It gives a role, or takes one away': {
    addInstanceMembership: 'always',
    removeInstanceMembership: 'always',
    addOrganizationMembership: 'always',
    removeOrganizationMembership: 'always',
    setGroupRoles: 'always',
    scimCreateGroup: { if: 'the group gets a role while its members are written' },
    scimReplaceGroup: { if: 'the group holds a role, in the organization or in a project' },
    scimPatchGroup: { if: 'the group holds a role, in the organization or in a project' },
    addProject: 'always',
    changeProject: 'always',
    addProjectRole: 'always',
    addProjectGrant: 'always',
    changeProjectGrant: 'always',
    removeProjectGrant: 'always',
    addProjectGroupGrant: 'always',
    changeProjectGroupGrant: 'always',
    removeProjectGroupGrant: 'always',
    addProjectMember: 'always',
    changeProjectMember: 'always',
    removeProjectMember: 'always',
    allowAdministration: 'always',
    removeAdministration: 'always',
  },
  'It gives or tests a secret, a key, a hash or a link': {
    addApplication: 'always',
    addApplicationSecret: 'always',
    addApplicationKey: 'always',
    addClientSecret: 'always',
    addServiceUserKey: 'always',
    addPersonalAccessToken: 'always',
    addFederatedCredential: 'always',
    addOneTimeLink: 'always',
    addOneTimeLinks: 'always',
    actOnUsers: 'always',
    addConnection: 'always',
    addSetupLink: 'always',
    changeConnection: 'always',
    putMigrationHook: 'always',
    testMigrationHook: 'always',
    putPasswordPepper: 'always',
    samplePasswords: 'always',
    rotateSigningKeys: 'always',
    exportPasskeys: 'always',
    export: { if: 'the export is to have password hashes or secrets of second factors' },
    exportOrganization: { if: 'the export is to have password hashes or secrets of second factors' },
    getExport: { if: 'the export has password hashes, secrets of second factors or passkeys' },
    verify: 'always',
    verifyOrganization: 'always',
  },
  'It changes who may sign in, or what a sign-in takes': {
    import: 'always',
    importIntoOrganization: 'always',
    addOrganization: 'always',
    changeOrganization: {
      if: 'the request names `domains`, `passwordPolicy`, or more of `login` than its look',
    },
    putSignInPolicy: 'always',
    addDomain: 'always',
    changeDomain: 'always',
    checkDomainProof: 'always',
    linkWaitingIdentities: 'always',
    changeApplication: { if: 'the request does more than deactivate the application' },
    approveApplication: 'always',
    removeApplicationApproval: 'always',
    addApplicationGrant: 'always',
    removeApplicationGrant: 'always',
    changeServiceUser: {
      if: 'the request activates the service user, or names `userName` or `accessTokenType`',
    },
    changeFeatures: 'always',
    unlockUser: 'always',
    removeTotp: 'always',
    removePasskey: 'always',
    scimReplaceUser: {
      if: 'the request activates the user, or changes the login name, the password or the address that receives links',
    },
    scimPatchUser: {
      if: 'the request activates the user, or changes the login name, the password or the address that receives links',
    },
    scimBulk: { if: 'an operation has another method than POST' },
  },
  'It removes something for good': {
    scimDeleteUser: 'always',
    scimDeleteGroup: 'always',
    removeOrganization: 'always',
    removeDomain: 'always',
    putExtensionSchema: 'always',
    removeExtensionSchema: 'always',
    removeProject: 'always',
    removeProjectRole: 'always',
    removeApplication: 'always',
    removeApplicationSecret: 'always',
    removeApplicationKey: 'always',
    removeServiceUser: 'always',
    removeClientSecret: 'always',
    removeServiceUserKey: 'always',
    removePersonalAccessToken: 'always',
    removeFederatedCredential: 'always',
    removeConnection: 'always',
    endSetupLink: 'always',
    removeIdentity: 'always',
    removeMigrationHook: 'always',
    removePasswordPepper: 'always',
    removeUserMetadata: 'always',
    removeSigningKey: 'always',
    revokeConsent: 'always',
  },
  'It makes the person act as another': {
    token: { if: 'the actor of a token exchange is a person' },
  },
} as const satisfies Record<string, Record<string, Need>>;

/** The operations that need no fresh sign-in although their method is not GET, grouped by the reason. */
const plain = {
  'It only reads': [
    'scimSearchUsers',
    'scimSearchGroups',
    'scimSearchAll',
    'scimPollEvents',
    'searchEvents',
    'searchLoginNames',
    'trySignInPolicy',
    'previewConnection',
  ],
  'It shows what the application gets anyway, and ends it': ['testSignIn'],
  'Whoever manages users adds them all day. A new user has no role': ['scimCreateUser'],
  'Without a role and a secret, a service user can do nothing': ['addServiceUser'],
  'It changes how a role is shown, and nothing else': ['changeProjectRole'],
  'Metadata gives no right': ['setUserMetadata'],
  'A record gives no right before it is published and found': ['beginDomainProof'],
  'How pages look gives no right': ['putLogo', 'removeLogo'],
  'It takes access away, which must not wait': [
    'endSessions',
    'endUserSession',
    'forgetRememberedBrowser',
    'requirePasswordChange',
  ],
  'It stops work, and takes nothing back': ['cancelJob'],
  'It asks a provider that an owner named, and changes nothing': ['testConnection', 'beginSignInTest'],
} as const satisfies Record<string, readonly string[]>;

/** The name of an operation that needs a fresh sign-in, always or in a case. */
export type FreshOperation = {
  [Reason in keyof typeof needs]: keyof (typeof needs)[Reason];
}[keyof typeof needs];

/** An operation on the list, and why. */
interface FreshAct {
  readonly operationId: string;
  readonly because: string;
  /** The case in which it needs a fresh sign-in. Absent: always. */
  readonly if?: string;
}

/** The operations that need a fresh sign-in, in the order of the list. */
export const freshActs: readonly FreshAct[] = Object.entries(needs).flatMap(([because, acts]) =>
  Object.entries<Need>(acts).map(([operationId, need]) => ({
    operationId,
    because,
    ...(need !== 'always' && { if: need.if }),
  })),
);

/** The operations of `plain`, each with its reason. */
export const plainActs: ReadonlyMap<string, string> = new Map(
  Object.entries(plain).flatMap(([because, operations]) => operations.map((one) => [one, because] as const)),
);

const byOperation = new Map(freshActs.map((act) => [act.operationId, act]));

/** What is known of a route: its operation, and its method. */
interface Act {
  readonly operationId: string | undefined;
  readonly method: string;
}

/**
 * When the operation needs a fresh sign-in. An operation that changes something and is on neither list always needs one, so that a new
 * route is safe before anybody thinks of it. The test of the lists then fails.
 */
export function freshnessOf({ operationId, method }: Act): 'always' | 'never' | { readonly if: string } {
  if (operationId === undefined || plainActs.has(operationId)) return 'never';
  const act = byOperation.get(operationId);
  if (act === undefined) return method === 'GET' || method === 'HEAD' ? 'never' : 'always';
  return act.if === undefined ? 'always' : { if: act.if };
}

/** The entry of the list as a sentence for the description of the API. Undefined for an operation that is not on it. */
export function freshnessSentence(operationId: string): string | undefined {
  const act = byOperation.get(operationId);
  if (act === undefined) return undefined;
  const sentence = 'A person must have signed in a short time before';
  return act.if === undefined ? `${sentence}.` : `${sentence}, if ${act.if}.`;
}
