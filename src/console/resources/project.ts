import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { apiOf, pathOf } from './organization-of.js';

/** A project as the admin API shows it. */
export interface ShownProject {
  readonly id: string;
  readonly name: string;
  /** Other organizations whose clients may ask for tokens for the project. */
  readonly audienceOrgIds: readonly string[];
  readonly created: string;
  readonly lastModified: string;
}

/** The scope that adds the project to the audience of a token. */
export function audienceScope(projectId: string): string {
  return `urn:service:iam:org:project:id:${projectId}:aud`;
}

/** The path of the project of the page in the admin API, and below it. */
export function projectApi(visit: Pick<ConsoleVisit, 'request'>, below = ''): string {
  return apiOf(visit, `/projects/${segmentOf(param(visit, 'projectId'))}${below}`);
}

/** The path of the project of the page in the console, and below it. */
export function projectPath(visit: Pick<ConsoleVisit, 'request'>, below = ''): string {
  return pathOf(visit, `/projects/${segmentOf(param(visit, 'projectId'))}${below}`);
}
