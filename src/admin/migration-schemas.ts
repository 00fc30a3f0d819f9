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

/** Returns the schema of an object in a bucket. */
export function bucketTarget(description: string) {
  return Type.Object(
    {
      bucket: Type.String({
        maxLength: 300,
        ruled: { pattern: '^[a-z0-9](?:[a-z0-9_\\-]|\\.(?!\\.)){1,220}[a-z0-9]$' },
      }),
      path: Type.String({ maxLength: 1_100, ruled: { minLength: 1, maxLength: 1_024 } }),
      serviceaccountJson: Type.String({
        maxLength: 40_000,
        description: 'Base64 of the JSON file of a service account that may read or create the object',
        ruled: base64,
      }),
    },
    { additionalProperties: false, description },
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
  { jobId: Type.String(), gcs: Type.Object({ bucket: Type.String(), path: Type.String() }) },
  { title: 'WrittenExport', description: 'With gcsOutput alone' },
);
