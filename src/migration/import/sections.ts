import type { Container } from '#src/container.js';
import { humanUsersSection } from './human-users.js';
import type { ImportSection } from './section.js';

/** The organization itself is the record of a section too: `{ orgId, org }` for each element of `orgs`. */
export const organizationKey = 'org';

/**
 * Every list of an organization that is imported, by its key. The phases are: 0 organizations, 1 domains, 2 projects,
 * 3 roles and applications, 4 human users, 5 service users (no two users share an identifier), 6 what refers to users.
 */
export function createSections(container: Container): ReadonlyMap<string, ImportSection> {
  const sections: ImportSection[] = [humanUsersSection(container)];
  return new Map(sections.map((section) => [section.key, section]));
}
