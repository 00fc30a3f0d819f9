/** Test files that run here on a Cluster, and otherwise on one server, so that no command crosses slots. */
export const whole = [
  'contract/sessions/sessions',
  'contract/authorization/authorization.stores',
  'contract/platform/caches',
  'contract/directory/quotas',
  'contract/platform/turns',
  'contract/tokens/revocation',
  'contract/jobs/late-signal',
];

/** Of these files only the tests run whose names begin with these words. */
export const parts: Readonly<Record<string, readonly string[]>> = {
  // The other tests need a proxy. A Cluster bypasses it, because its nodes announce their own addresses.
  'contract/directory/stamps': [
    ...['a stamp stays', 'many users get other stamps', 'a Redis that lost', 'asking for stamps'],
    'people are read',
  ],
  'integration/cli/init-instance': ['the first start is made once'],
  'integration/oidc/client-authentication': ['an assertion counts once'],
  'integration/oidc/authorize': ['POST is as good as GET'],
  'integration/login/password': ['too many wrong passwords', 'the second factor'],
  'integration/http/rate-limit': ['all processes count together', 'what anybody makes'],
  'integration/login/email': ['five tries for a code'],
  'integration/login/kept-mail': ['the latest 50 are kept'],
  'integration/login/recovery-codes': ['ten codes are shown once'],
  'integration/console/service-users': ['after a while, a secret needs a fresh sign-in'],
  'integration/console/returned-forms': ['two requests at once'],
  'integration/console/refused-forms': ['who has signed out'],
  'integration/admin/provisioning-log': ['it says what a client sent'],
  'integration/scim/bulk': ['each method is answered', 'a bulkId stands'],
  'integration/migration/export': ['an organization is exported'],
  'integration/migration/organization-import': ['an owner imports its people'],
  'integration/admin/organization-removal': ['it ends for everybody'],
  'integration/observe/metrics': ['jobs by kind and state', 'records of imports', 'the stores'],
};

/** The words behind the prefix in the names of keys and channels. All of them must be written. */
export const families = [
  ...[
    'agent',
    'agents-forgotten',
    'connection-sessions',
    'connection-sign-in',
    'connection-test',
    'saml-assertion',
    'saml-start',
    'sessions',
    'authorization-request',
    'code',
    'quota',
    'rev',
    'invalidate',
    'init',
    'turn',
  ],
  ...[
    'jti',
    'login-step',
    'login-attempts',
    'code-attempts',
    'count',
    'pending-email',
    'mail-code',
    'sign-in-link',
    'shown-codes',
    'passkey-challenge',
    'kept-mail',
  ],
  ...[
    'stored-bytes',
    'console-draft',
    'console-refused',
    'provisioning-log',
    'daily-allowance',
    'users-generation',
    'queue',
    'late',
    'turns',
    'scheduled',
  ],
  ...['scim-bulk', 'import', 'verify', 'import-part', 'export', 'organization-removal', 'user-actions'],
  'policy-trial',
];
