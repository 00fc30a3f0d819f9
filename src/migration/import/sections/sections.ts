import type { Container } from '#src/container.js';
import { apiAppsSection, oidcAppsSection } from './applications.section.js';
import { projectMembersSection, userGrantsSection } from './assignments.section.js';
import { domainsSection } from './domains.section.js';
import { humanUsersSection } from './human-users.section.js';
import { machineUsersSection } from './machine-users.section.js';
import { orgMembersSection } from './org-members.section.js';
import { organizationsSection } from './organizations.section.js';
import { projectRolesSection } from './project-roles.section.js';
import { projectsSection } from './projects.section.js';
import type { ImportSection } from './section.js';
import { userMetadataSection } from './user-metadata.section.js';

/**
 * Every list of an organization that is imported, by its key. The phases are: 0 organizations, 1 domains, 2 projects,
 * 3 roles and applications, 4 human users, 5 service users (no two users share an identifier), 6 what refers to users.
 */
export function createSections(container: Container): ReadonlyMap<string, ImportSection> {
  const sections: ImportSection[] = [
    organizationsSection(container),
    domainsSection(container),
    projectsSection(container),
    projectRolesSection(container),
    oidcAppsSection(container),
    apiAppsSection(container),
    humanUsersSection(container),
    machineUsersSection(container),
    userMetadataSection(container),
    orgMembersSection(container),
    projectMembersSection(container),
    userGrantsSection(container),
  ];
  return new Map(sections.map((section) => [section.key, section]));
}
