import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { projectApi, projectPath } from '../resources/project.js';

/** A role of a project as the admin API shows it. */
export interface ShownRole {
  readonly key: string;
  readonly displayName: string;
  readonly group?: string;
}

/** Roles of a project, in the order of their keys. */
export interface ListedRoles {
  readonly items: readonly ShownRole[];
  readonly next?: string;
}

/** The path of the role of the page in the admin API. */
export function roleApi(visit: ConsoleVisit): string {
  return projectApi(visit, `/roles/${segmentOf(param(visit, 'roleKey'))}`);
}

/** The path of the role of the page in the console, and below it. */
export function projectRolePath(visit: ConsoleVisit, below = ''): string {
  return projectPath(visit, `/roles/${segmentOf(param(visit, 'roleKey'))}${below}`);
}
