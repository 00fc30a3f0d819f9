import Type from 'typebox';

const organizations = (description: string) =>
  Type.Optional(
    Type.Object(
      { orgs: Type.Array(Type.Object({ orgId: Type.String() }, { additionalProperties: true })) },
      { description },
    ),
  );

const bucketObject = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        bucket: Type.String(),
        path: Type.String(),
        serviceaccountJson: Type.String({ description: 'Key of a service account, its JSON file in base64' }),
      },
      { description },
    ),
  );

/**
 * The body of `POST /import`, for the OpenAPI document. The caller sends exactly one of the four properties that hold
 * data.
 */
export const importBody = Type.Object({
  timeout: Type.String({ description: 'How long it may take, such as `30s`, `5m` or `1h30m0s`' }),
  dryRun: Type.Optional(Type.Boolean({ description: 'Check everything and write nothing' })),
  strict: Type.Optional(
    Type.Boolean({ description: 'A record with values that the import has no use for is an error' }),
  ),
  dataOrgs: organizations('Users of another identity provider, for organizations that exist'),
  dataOrgsv1: organizations('An export of this service'),
  dataOrgsGcs: bucketObject('Where the users of another identity provider are'),
  dataOrgsv1Gcs: bucketObject('Where an export of this service is'),
});

/** An element of `errors`. */
export const importError = Type.Object({
  type: Type.String(),
  id: Type.String({ description: 'The record, as far as it can be told' }),
  message: Type.String({ description: 'Begins with a stable code; docs/errors.md lists them' }),
  line: Type.Optional(Type.Integer({ description: 'Line of the record in the text, from 1' })),
  position: Type.Optional(Type.Integer({ description: 'First byte of the record in the text, from 0' })),
  identifiers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The identifiers in the record, by their names',
    }),
  ),
});

const names = Type.Array(Type.String());

export const importResult = Type.Object({
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
        domains: names,
      }),
    ),
  }),
  warnings: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({
          description: 'Such as `orgs[].humanUsers[].user.shoeSize`; `...` for all others',
        }),
        count: Type.Integer({ description: 'Records that have a value there' }),
        line: Type.Optional(Type.Integer({ description: 'Line of the first such record, from 1' })),
        position: Type.Optional(Type.Integer({ description: 'First byte of that record, from 0' })),
      }),
      { description: 'Values that reached nothing, at most 201; absent when there are none' },
    ),
  ),
  summary: Type.Object({
    created: Type.Integer(),
    skipped: Type.Integer(),
    failed: Type.Integer(),
    total: Type.Integer(),
  }),
  jobId: Type.String(),
});
