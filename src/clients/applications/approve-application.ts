import type { Target } from '#src/directory/index.js';
import type { Application } from './application.js';
import { type WriteApplicationDeps, writeApplication } from './write-application.js';

/**
 * Sets whether people administer through the application: see `administersFor`. An owner of the instance vouches for it, because
 * whoever has the application's tokens may do what these people may do.
 * @throws AppError `directory.applicationNotFound`, `directory.changing`
 */
export function markForAdministration(
  deps: WriteApplicationDeps,
  target: Target,
  administers: boolean,
): Promise<Application> {
  return writeApplication(deps, target, (current) => {
    if ((current.administers ?? false) === administers) return { next: current, happened: [] };
    const type = administers ? 'application.administration.allowed' : 'application.administration.removed';
    return { next: { ...current, administers }, happened: [[type, {}]] };
  });
}

/**
 * Sets whether an open application may serve the people of every organization without asking each of them. An owner of the
 * instance vouches for it, not its own organization.
 * @throws AppError `directory.applicationNotFound`, `directory.changing`
 */
export function approveApplication(
  deps: WriteApplicationDeps,
  target: Target,
  approved: boolean,
): Promise<Application> {
  return writeApplication(deps, target, (current) => {
    if (current.approved === approved || (!approved && current.approved === undefined)) {
      return { next: current, happened: [] };
    }
    const type = approved ? 'application.approved' : 'application.approval.removed';
    return { next: { ...current, approved }, happened: [[type, {}]] };
  });
}
