import Type from 'typebox';

/** An element of `errors`. */
const importError = Type.Object(
  {
    type: Type.String(),
    id: Type.String({ description: 'The record, as far as it can be told' }),
    message: Type.String({ description: 'Begins with a stable code; /docs/errors lists them' }),
    line: Type.Optional(Type.Integer({ description: 'Line of the record in the text, from 1' })),
    position: Type.Optional(Type.Integer({ description: 'First byte of the record in the text, from 0' })),
    identifiers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'The identifiers in the record, by their names',
      }),
    ),
  },
  { title: 'ImportError' },
);

/** An element of `warnings`. */
const importWarning = Type.Object(
  {
    path: Type.String({
      description: 'Such as `orgs[].humanUsers[].user.shoeSize`; `...` for all others',
    }),
    count: Type.Integer({
      description: 'Records that have a value there; of federated credentials, the values',
    }),
    line: Type.Optional(Type.Integer({ description: 'Line of the first such record, from 1' })),
    position: Type.Optional(Type.Integer({ description: 'First byte of that record, from 0' })),
  },
  { title: 'ImportWarning' },
);

const names = Type.Array(Type.String());

/** The report of an import. */
export const importResult = Type.Object(
  {
    errors: Type.Optional(Type.Array(importError, { description: 'Absent when nothing failed' })),
    success: Type.Object({
      orgs: Type.Array(
        Type.Object({
          orgId: Type.String(),
          humanUserIds: names,
          machineUserIds: names,
          groupIds: names,
          projectIds: names,
          oidcAppIds: names,
          apiAppIds: names,
          groupMembers: names,
          orgMembers: names,
          userMetadata: names,
          identityLinks: names,
          webauthnCredentials: names,
          domains: names,
          connectionIds: names,
        }),
      ),
    }),
    warnings: Type.Optional(
      Type.Array(importWarning, {
        description:
          'Values that reached nothing, or that somebody should look at, at most 201; absent when there are none',
      }),
    ),
    signIns: Type.Optional(
      Type.Object(
        {
          password: Type.Integer({ description: 'With a password' }),
          link: Type.Integer({
            description: 'By a link to the verified address, because there is no password',
          }),
          hook: Type.Integer({ description: 'Through the migration hook of the organization' }),
          none: Type.Integer({ description: 'By nothing yet: they need an address or a password' }),
          disabled: Type.Integer({ description: 'Not at all, because they are disabled' }),
        },
        {
          description:
            'How the people can sign in whom the import created or updated; absent when each has a password',
        },
      ),
    ),
    dryRun: Type.Optional(
      Type.Boolean({
        description:
          'Only of a dry run: nothing was changed, and `summary` and `success` say what would be. Absent otherwise',
      }),
    ),
    summary: Type.Object({
      created: Type.Integer(),
      updated: Type.Optional(Type.Integer({ description: 'Only with `update`' })),
      skipped: Type.Integer(),
      failed: Type.Integer(),
      total: Type.Integer(),
    }),
    jobId: Type.String(),
  },
  { title: 'ImportReport' },
);

const recordCounts = {
  same: Type.Integer(),
  missing: Type.Integer({ description: 'Records that the service does not have' }),
  different: Type.Integer({ description: 'Records that the service has with other values' }),
  refused: Type.Integer({ description: 'Records that the service could not have' }),
  extra: Type.Integer({ description: 'Objects of the service that the file does not have' }),
};
const digest = (of: string) =>
  Type.Optional(Type.String({ description: `SHA-256 of ${of}; absent if the verification ended early` }));

/** The report of a verification. */
export const verifyResult = Type.Object(
  {
    errors: Type.Optional(
      Type.Array(importError, { description: 'Why the job ended early; absent otherwise' }),
    ),
    isSame: Type.Optional(
      Type.Boolean({
        description: 'Whether nothing is missing, different, refused or extra, and the digests are equal',
      }),
    ),
    sourceDigest: digest('the digests of all lists of the file'),
    targetDigest: digest('the digests of all lists of the service'),
    counts: Type.Object({ ...recordCounts, total: Type.Integer({ description: 'Records of the file' }) }),
    lists: Type.Array(
      Type.Object({
        list: Type.String({ description: 'Such as humanUsers; `org` for the organizations' }),
        ...recordCounts,
        sourceDigest: digest('the records of the file, without passwords in plain text'),
        targetDigest: digest('what the service has, as far as the records state it, and of everything extra'),
      }),
    ),
    jobId: Type.String(),
  },
  { title: 'VerifyReport' },
);
