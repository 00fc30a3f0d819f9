/** What a set-up link may be for, in the order in which it is done. An owner chooses some. */
export const setupSteps = ['domain', 'connection', 'provisioning', 'test', 'switchOn'] as const;

export type SetupStep = (typeof setupSteps)[number];

/**
 * Lets somebody of the customer's own IT, who has no account here, connect the provider of one organization. It reaches the chosen steps of one
 * connection and nothing else, from the browser that opened it first.
 */
export interface SetupLink {
  readonly id: string;
  readonly orgId: string;
  /** The hash of the secret in its address. */
  readonly hash: string;
  readonly steps: readonly SetupStep[];
  /** The owner who made it. Without the permission of this owner, the link is nothing. */
  readonly createdBy: string;
  readonly created: Date;
  readonly expires: Date;
  /** The hash of the secret of the browser that opened it. Absent until then. */
  readonly browserHash?: string;
  readonly opened?: Date;
  /** When each step was done last. A test counts for the connection as it was tested, so the step `connection` takes it away. */
  readonly done: Readonly<Partial<Record<SetupStep, Date>>>;
  /** The domains that it named to prove them. None was verified when it was named. */
  readonly domains?: readonly string[];
  /** Those of `domains` that it has proved. */
  readonly provedDomains?: readonly string[];
  /** The identifier that its connection gets, so that the address for the provider is known before. */
  readonly newConnectionId: string;
  /** The connection that it made. */
  readonly connectionId?: string;
  /** The identifier that its service user gets, so that two requests at once make one. */
  readonly newServiceUserId: string;
  /** The service user that it made. */
  readonly serviceUserId?: string;
  readonly version: number;
}

/** How long a link lasts, in milliseconds. */
export const setupLifeMs = 7 * 24 * 3_600_000;
/** The most links of an organization that have not ended. */
export const mostSetupLinks = 5;
/** The most domains that a link names, because each becomes a domain of the organization. */
export const mostSetupDomains = 5;
