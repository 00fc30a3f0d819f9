/** What an operator can limit for each organization. `openJobs` are jobs that wait or run. */
export const quotaKinds = [
  'users',
  'groups',
  'serviceUsers',
  'projects',
  'applications',
  'metadata',
  'openJobs',
] as const;

export type QuotaKind = (typeof quotaKinds)[number];

/** The largest number of each kind. 0 means no limit. */
export type QuotaLimits = Readonly<Record<QuotaKind, number>>;

/** The settings of the instance that apply to organizations without a value of their own. */
export interface QuotaConfig {
  readonly quotaUsers: number;
  readonly quotaGroups: number;
  readonly quotaServiceUsers: number;
  readonly quotaProjects: number;
  readonly quotaApplications: number;
  readonly quotaMetadata: number;
  readonly quotaOpenJobs: number;
}

/** Returns the limits that apply to an organization. */
export function quotaLimits(config: QuotaConfig, own: Partial<QuotaLimits> = {}): QuotaLimits {
  return {
    users: own.users ?? config.quotaUsers,
    groups: own.groups ?? config.quotaGroups,
    serviceUsers: own.serviceUsers ?? config.quotaServiceUsers,
    projects: own.projects ?? config.quotaProjects,
    applications: own.applications ?? config.quotaApplications,
    metadata: own.metadata ?? config.quotaMetadata,
    openJobs: own.openJobs ?? config.quotaOpenJobs,
  };
}
