import Type from 'typebox';

/** Returns the schema of a duration in the notation of Go. A use case checks it. */
export function duration(description: string) {
  return Type.String({
    description,
    ruled: {
      maxLength: 64,
      pattern:
        '^\\+?(?:[1-9][0-9]{0,3}s|[1-9][0-9]{0,2}m|[1-9]h)(?:[0-9]{1,2}(?:\\.[0-9]{1,3})?(?:ms|m|s|us|µs|ns))*$',
    },
  });
}

const base64 = { pattern: '^[A-Za-z0-9+/]+={0,2}$' };

/** The name of an object. */
const path = Type.String({
  maxLength: 1_100,
  description: 'At most 1,024 bytes. No part between slashes is `.` or `..`',
  ruled: { minLength: 1, maxLength: 1_024, pattern: '^[^\\u0000-\\u001f\\u007f]+$' },
});

/** Returns the schema of an object in a bucket. */
export function bucketTarget(description: string) {
  return Type.Object(
    {
      bucket: Type.String({
        maxLength: 300,
        ruled: { pattern: '^[a-z0-9](?:[a-z0-9_\\-]|\\.(?!\\.)){1,220}[a-z0-9]$' },
      }),
      path,
      serviceaccountJson: Type.String({
        maxLength: 40_000,
        description: 'Base64 of the JSON file of a service account that may read or create the object',
        ruled: base64,
      }),
    },
    { additionalProperties: false, description },
  );
}

const endpoint = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: 400, description, ruled: { maxLength: 300, pattern: '^https://[^@?#]+$' } }),
  );

/** A secret that may stand in a header. */
const token = (description: string, maxLength: number) =>
  Type.String({
    maxLength: maxLength + 100,
    description,
    ruled: { minLength: 1, maxLength, pattern: '^[!-~]+$' },
  });

/** Returns the schema of an object behind the protocol of Amazon S3. */
export function s3Target(description: string) {
  return Type.Object(
    {
      bucket: Type.String({
        maxLength: 100,
        ruled: { pattern: '^[a-z0-9](?:[a-z0-9_\\-]|\\.(?!\\.)){1,61}[a-z0-9]$' },
      }),
      path,
      accessKeyId: token('The identifier of the access key', 128),
      secretAccessKey: token('The secret of the access key. It is stored encrypted', 256),
      sessionToken: Type.Optional(token('Belongs to temporary credentials. It is stored encrypted', 8_192)),
      region: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Such as `eu-central-1`. May be absent if there is an endpoint',
          ruled: { pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
        }),
      ),
      endpoint: endpoint(
        'A server with the protocol of Amazon S3, at a host in MUSTER_BUCKET_HOSTS. If absent, the object is at Amazon',
      ),
      pathStyle: Type.Optional(
        Type.Boolean({
          description:
            'Whether the bucket is in the path of addresses instead of their host. If absent, it is at an endpoint',
        }),
      ),
    },
    {
      additionalProperties: false,
      description,
      ruled: {
        anyOf: [
          {
            required: ['region'],
            properties: { region: { pattern: '^[a-z]{2}(?:-[a-z]{2,12}){1,3}-[0-9]{1,2}$' } },
          },
          has('endpoint'),
        ],
      },
    },
  );
}

/** The schema of an object that has these texts. */
function has(...names: string[]) {
  return { required: names, properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
}

/** Returns the schema of a blob of Azure Blob Storage. */
export function azureTarget(description: string) {
  return Type.Object(
    {
      container: Type.String({
        maxLength: 100,
        ruled: { maxLength: 63, pattern: '^(?:\\$root|[a-z0-9](?:-?[a-z0-9]){2,62})$' },
      }),
      path,
      account: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'The name of the storage account',
          ruled: { pattern: '^[a-z0-9]{3,24}$' },
        }),
      ),
      endpoint: endpoint('The address of the account, if it is not `https://ACCOUNT.blob.core.windows.net`'),
      accountKey: Type.Optional(
        Type.String({
          maxLength: 300,
          description: 'A key of the account, in base64. It is stored encrypted',
          ruled: { pattern: '^[A-Za-z0-9+/]{4,200}={0,2}$' },
        }),
      ),
      sasToken: Type.Optional(
        Type.String({
          maxLength: 4_200,
          description: 'A shared access signature. It is stored encrypted',
          ruled: { maxLength: 4_096, pattern: '^sig=[A-Za-z0-9%]{1,200}$' },
        }),
      ),
      connectionString: Type.Optional(
        Type.String({
          maxLength: 8_200,
          description: 'Names the account, and a key or a signature, instead of the other members',
          ruled: { pattern: '^AccountName=[a-z0-9]{3,24};AccountKey=[A-Za-z0-9+/]{4,200}$' },
        }),
      ),
    },
    {
      additionalProperties: false,
      description: `${description}. Has one of accountKey, sasToken and connectionString`,
      ruled: {
        oneOf: [
          has('account', 'accountKey'),
          { ...has('sasToken'), anyOf: [has('account'), has('endpoint')] },
          has('connectionString'),
        ],
      },
    },
  );
}

/** Returns the schema of an object that is read by https. */
export function httpsObject(description: string) {
  return Type.Object(
    {
      url: Type.String({
        maxLength: 4_200,
        description:
          'An https address at a host in MUSTER_IMPORT_HOSTS. Its query may hold a signature. It is stored encrypted',
        ruled: { maxLength: 4_096, pattern: '^https://[^@]*$' },
      }),
    },
    { additionalProperties: false, description },
  );
}

/** The answer to an export that goes to a bucket alone. */
export const writtenExport = Type.Object(
  {
    jobId: Type.String(),
    gcs: Type.Optional(Type.Object({ bucket: Type.String(), path: Type.String() })),
    s3: Type.Optional(Type.Object({ bucket: Type.String(), path: Type.String() })),
    azure: Type.Optional(Type.Object({ container: Type.String(), path: Type.String() })),
    notExported: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'The numbers of what the organizations have and the file does not, such as `consents`',
      }),
    ),
  },
  { title: 'WrittenExport', description: 'With an output to a bucket alone' },
);
