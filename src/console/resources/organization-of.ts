import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';

/** An organization as the admin API shows it. */
export interface ShownOrganization {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly domains: readonly string[];
  readonly passwordPolicy: {
    readonly minLength: number;
    readonly upper: boolean;
    readonly lower: boolean;
    readonly digit: boolean;
    readonly symbol: boolean;
  };
  readonly login: {
    readonly selfRegistration: boolean;
    readonly verifyEmail: boolean;
    readonly notifyNewBrowser: boolean;
    readonly notifyChanges: boolean;
    readonly notifyAdministration: boolean;
    readonly logoUrl?: string;
    readonly faviconUrl?: string;
    readonly brandColor?: string;
  };
  readonly plainScimErrors: boolean;
  readonly uniqueExternalId: boolean;
  readonly quotas: Readonly<Record<string, number>>;
  readonly created: string;
  readonly lastModified: string;
}

/** Reads the organization of the page. @throws ApiProblem if the person does not reach it */
export function organizationOf(visit: ConsoleVisit): Promise<ShownOrganization> {
  return visit.api.get<ShownOrganization>(apiOf(visit));
}

/** The path of the organization of the page in the admin API, and below it. */
export function apiOf(visit: Pick<ConsoleVisit, 'request'>, below = ''): string {
  return `/admin/v1/orgs/${segmentOf(param(visit, 'orgId'))}${below}`;
}

/** The path of the organization of the page in the console, and below it. */
export function pathOf(visit: Pick<ConsoleVisit, 'request'>, below = ''): string {
  return `/console/orgs/${segmentOf(param(visit, 'orgId'))}${below}`;
}

/** The path of the organization of the page in SCIM, and below it. */
export function scimOf(visit: Pick<ConsoleVisit, 'request'>, below = ''): string {
  return `/scim/v2/${segmentOf(param(visit, 'orgId'))}${below}`;
}
