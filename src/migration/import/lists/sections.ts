import { applicationGrantsSection } from './applications/application-grants.section.js';
import { apiAppsSection, oidcAppsSection } from './applications/applications.section.js';
import { connectionsSection } from './connections/connections.section.js';
import { groupMembersSection } from './groups/group-members.section.js';
import { groupsSection } from './groups/groups.section.js';
import { humanUsersSection } from './humans/human-users.section.js';
import { userMetadataSection } from './humans/user-metadata.section.js';
import { machineUsersSection } from './machine-users/machine-users.section.js';
import {
  groupGrantsSection,
  projectMembersSection,
  userGrantsSection,
} from './members/assignments.section.js';
import { orgMembersSection } from './members/org-members.section.js';
import { domainsSection } from './organizations/domains.section.js';
import { externalOrganizationsSection } from './organizations/external-organizations.section.js';
import { organizationsSection } from './organizations/organizations.section.js';
import { identityLinksSection } from './person-lists/identity-links.section.js';
import { webauthnCredentialsSection } from './person-lists/webauthn-credentials.section.js';
import { projectRolesSection } from './projects/project-roles.section.js';
import { projectsSection } from './projects/projects.section.js';
import type { ImportForm, ImportSection, ImportSections } from './section/section.js';
import type { SectionDeps } from './section/section-deps.js';

/**
 * Everything that can be imported. The phases are: 0 organizations, 1 domains and groups, 2 projects, 3 roles and applications,
 * 4 human users, 5 service users, 6 what refers to users, connections,
 * and grants of applications. Human users and service users have phases of their own because
 * they share identifiers. Domains and groups have a
 * phase in common because a domain has no identifier.
 */
export function createSections(deps: SectionDeps): ImportSections {
  const sections: readonly ImportSection[] = [
    organizationsSection(deps),
    externalOrganizationsSection(deps),
    domainsSection(deps),
    groupsSection(deps),
    projectsSection(deps),
    projectRolesSection(deps),
    oidcAppsSection(deps),
    apiAppsSection(deps),
    humanUsersSection(deps),
    machineUsersSection(deps),
    groupMembersSection(deps),
    userMetadataSection(deps),
    identityLinksSection(deps),
    webauthnCredentialsSection(deps),
    orgMembersSection(deps),
    projectMembersSection(deps),
    userGrantsSection(deps),
    groupGrantsSection(deps),
    applicationGrantsSection(deps),
    connectionsSection(deps),
  ];
  const ofForm = (form: ImportForm) =>
    new Map(sections.filter(({ forms }) => forms.includes(form)).map((section) => [section.key, section]));
  const byKey = { external: ofForm('external'), instance: ofForm('instance') };
  return {
    find: (key, form) => byKey[form].get(key),
    phases: [...new Set(sections.map(({ phase }) => phase))].sort((a, b) => a - b),
    before: (phase) => sections.filter((section) => section.phase < phase).map(({ key }) => key),
  };
}
