import type { Description, JsonSchema } from '#src/http/base/description.js';
import { statableAttributes } from '#src/migration/format/stated-attributes.js';
import { externalData, instanceData } from '../description/interchange.js';
import {
  azureTarget,
  bucketTarget,
  duration,
  httpsObject,
  s3Target,
  writtenExport,
} from './migration-schemas.js';

const dataKeys = [
  'dataOrgs',
  'dataOrgsv1',
  'dataOrgsGcs',
  'dataOrgsv1Gcs',
  'dataOrgsS3',
  'dataOrgsv1S3',
  'dataOrgsAzure',
  'dataOrgsv1Azure',
  'dataOrgsHttps',
  'dataOrgsv1Https',
];

const importBody = {
  title: 'ImportRequest',
  description: `Has exactly one of ${dataKeys.join(', ')}`,
  type: 'object',
  required: ['timeout'],
  properties: {
    timeout: duration('How long it may take, such as `30s`, `5m` or `1h30m0s`; at most 72h'),
    dryRun: { type: ['boolean', 'null'], description: 'Check everything and write nothing' },
    strict: {
      type: ['boolean', 'null'],
      description: 'A record with values that the import has no use for is an error',
    },
    update: {
      type: ['boolean', 'null'],
      description:
        'An object that exists takes over the values that its record mentions, instead of being an error. ' +
        'See `/docs/guides/migrate#update`',
    },
    unreadableHashes: {
      enum: ['refuse', 'drop', null],
      description:
        'drop: a password hash that cannot be read is left out with a warning, and the person is kept. Default: refuse',
    },
    withoutCredentials: {
      enum: ['refuse', 'allow', null],
      description:
        'Whether `dataOrgs` may have active people with neither a password nor a verified address. Default: allow where the organization ' +
        'has a migration hook or `unreadableHashes` is drop, otherwise refuse',
    },
    statedAttributes: {
      type: ['array', 'null'],
      items: { enum: [...statableAttributes] },
      maxItems: statableAttributes.length,
      description:
        'What the source says of every person. With `update`, a record without such an attribute empties it, if an import brought the value. ' +
        '`muster convert` writes it',
    },
    dataOrgs: orNull(externalData),
    dataOrgsv1: orNull(instanceData),
    dataOrgsGcs: orNull(bucketTarget('Where the users of another identity provider are')),
    dataOrgsv1Gcs: orNull(bucketTarget('Where an export of this service is')),
    dataOrgsS3: orNull(s3Target('Where the users of another identity provider are')),
    dataOrgsv1S3: orNull(s3Target('Where an export of this service is')),
    dataOrgsAzure: orNull(azureTarget('Where the users of another identity provider are')),
    dataOrgsv1Azure: orNull(azureTarget('Where an export of this service is')),
    dataOrgsHttps: orNull(httpsObject('Where the users of another identity provider are')),
    dataOrgsv1Https: orNull(httpsObject('Where an export of this service is')),
  },
  additionalProperties: false,
  oneOf: dataKeys.map((key) => ({ required: [key], properties: { [key]: { type: 'object' } } })),
};

/** Null counts as absent. */
function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

const examples = {
  external: {
    summary: 'A user of another identity provider, with a password hash',
    value: {
      timeout: '5m',
      dataOrgs: {
        orgs: [
          {
            orgId: 'the-organization',
            humanUsers: [
              {
                userId: 'auth0|60425dc4',
                user: {
                  userName: 'maria.berg@example.com',
                  profile: { firstName: 'Maria', lastName: 'Berg' },
                  email: { email: 'maria.berg@example.com', isEmailVerified: true },
                  hashedPassword: { value: '$2b$10$aXpKsOzIYnHUbwNkzn6LP.rBVBe2rLi7fbNjl/rTs7SJQ5hMvmKCa' },
                },
              },
            ],
          },
        ],
      },
    },
  },
  instance: {
    summary: 'An organization of another instance, checked only',
    value: {
      timeout: '5m',
      dryRun: true,
      dataOrgsv1: { orgs: [{ orgId: 'northwind', org: { name: 'Northwind' }, domains: [], humanUsers: [] }] },
    },
  },
};

const prefer: JsonSchema = {
  type: 'object',
  properties: {
    Prefer: { type: 'string', description: '`respond-async`: answer at once with the address of the job' },
  },
};

/** `POST /import`. */
export function describeImport(): Description {
  return { body: { 'application/json': { schema: importBody, examples } }, headers: prefer };
}

/** `POST /orgs/{orgId}/import`: the same body, with examples that have this organization alone. */
export function describeOrganizationImport(): Description {
  return { body: { 'application/json': { schema: importBody, examples: ownExamples() } }, headers: prefer };
}

/** The examples with one organization, under the identifier that it has here. */
function ownExamples() {
  const [organization] = examples.instance.value.dataOrgsv1.orgs;
  const orgs = [{ ...organization, orgId: 'the-organization' }];
  const instance = {
    summary: 'An organization of another instance, under the identifier that it has here, checked only',
    value: { ...examples.instance.value, dataOrgsv1: { orgs } },
  };
  return { ...examples, instance };
}

/** `POST /verify`: the body of an import, with one more property. */
export function describeVerify(): Description {
  return { body: { 'application/json': { schema: verifyBody, examples } }, headers: prefer };
}

/** `POST /orgs/{orgId}/verify`: the same body, with examples that have this organization alone. */
export function describeOrganizationVerify(): Description {
  return { body: { 'application/json': { schema: verifyBody, examples: ownExamples() } }, headers: prefer };
}

const verifyBody = {
  ...importBody,
  title: 'VerifyRequest',
  properties: {
    ...importBody.properties,
    listExtra: {
      type: ['boolean', 'null'],
      description: 'Name everything that the organizations of the file have beside it, among the differences',
    },
  },
};

/** `POST /export`. */
export function describeExport(): Description {
  return {
    headers: prefer,
    responses: {
      200: {
        description: 'With responseOutput the export, otherwise where it was written',
        headers: ['Muster-Not-Exported'],
        content: { 'application/json': { schema: { anyOf: [instanceData, writtenExport] } } },
      },
    },
  };
}

/** `GET /jobs/{id}/result`. */
export function describeExportResult(): Description {
  return {
    responses: {
      200: {
        description: 'The export',
        headers: ['Accept-Ranges'],
        content: { 'application/json': { schema: instanceData } },
      },
      206: {
        description: 'The rest of the text of the export',
        headers: ['Accept-Ranges', 'Content-Range'],
        content: { 'application/json': { schema: {} } },
      },
    },
  };
}
