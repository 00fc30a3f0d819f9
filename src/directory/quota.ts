/** What an operator can limit for each organization. `openJobs` are jobs that wait or run. */
export const quotaKinds = [
  'users',
  'groups',
  'serviceUsers',
  'projects',
  'applications',
  'connections',
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
  readonly quotaConnections: number;
  readonly quotaMetadata: number;
  readonly quotaOpenJobs: number;
}

/** Returns the limits that apply to an organization. */
export function quotaLimits(config: QuotaConfig, chosen: Partial<QuotaLimits> = {}): QuotaLimits {
  return {
    users: chosen.users ?? config.quotaUsers,
    groups: chosen.groups ?? config.quotaGroups,
    serviceUsers: chosen.serviceUsers ?? config.quotaServiceUsers,
    projects: chosen.projects ?? config.quotaProjects,
    applications: chosen.applications ?? config.quotaApplications,
    connections: chosen.connections ?? config.quotaConnections,
    metadata: chosen.metadata ?? config.quotaMetadata,
    openJobs: chosen.openJobs ?? config.quotaOpenJobs,
  };
}
