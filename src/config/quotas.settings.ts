import Type from 'typebox';
import { count, type Settings } from './setting.js';

/** What an organization may have. */
export const quotasSettings = {
  importMaxBytes: {
    env: 'MUSTER_IMPORT_MAX_BYTES',
    schema: Type.Integer({ minimum: 1_024 }),
    default: 4 * 1024 ** 3,
    about:
      'Largest import, in bytes, from a request body or from a bucket. MongoDB holds it while the import ' +
      'runs, and its replica set copies it through the oplog.',
  },
  organizationImportMaxBytes: {
    env: 'MUSTER_ORGANIZATION_IMPORT_MAX_BYTES',
    schema: Type.Integer({ minimum: 1_024 }),
    default: 256 * 1024 ** 2,
    about:
      'Largest import by the owner of an organization, in bytes, if MUSTER_IMPORT_MAX_BYTES is not smaller. Such an import ' +
      'has at most 500,000 records, whatever their size.',
  },
  quotaUsers: {
    env: 'MUSTER_QUOTA_USERS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of users of an organization that has no quota of its own.',
  },
  quotaGroups: {
    env: 'MUSTER_QUOTA_GROUPS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of groups of an organization that has no quota of its own.',
  },
  quotaServiceUsers: {
    env: 'MUSTER_QUOTA_SERVICE_USERS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of service users of an organization that has no quota of its own.',
  },
  quotaProjects: {
    env: 'MUSTER_QUOTA_PROJECTS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of projects of an organization that has no quota of its own.',
  },
  quotaApplications: {
    env: 'MUSTER_QUOTA_APPLICATIONS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of applications of an organization that has no quota of its own.',
  },
  quotaConnections: {
    env: 'MUSTER_QUOTA_CONNECTIONS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit beside the 20 of every organization',
    about:
      'Largest number of connections to outside providers of an organization that has no quota of its own.',
  },
  quotaMetadata: {
    env: 'MUSTER_QUOTA_METADATA',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of metadata entries of an organization that has no quota of its own.',
  },
  quotaOpenJobs: {
    env: 'MUSTER_QUOTA_OPEN_JOBS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of jobs that wait or run of an organization that has no quota of its own.',
  },
} as const satisfies Settings;
