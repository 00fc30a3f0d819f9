import { parseScope, projectRolesScope } from '#src/authorization/scope.js';
import { adminScope } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { Texts } from '../texts/texts.js';

type ScopeText = Exclude<keyof Texts['scopes'], 'projectsOf'>;

/** The scopes without a parameter, in the order in which people see them, with the text of each. */
const shown: readonly [scope: string, text: ScopeText][] = [
  ['openid', 'openid'],
  ['profile', 'profile'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['address', 'address'],
  ['groups', 'groups'],
  ['urn:service:iam:user:resourceowner', 'organization'],
  ['urn:service:iam:user:enterprise', 'employment'],
  ['urn:service:iam:user:extensions', 'extensions'],
  [projectRolesScope, 'projectRoles'],
  [adminScope, 'administration'],
  ['offline_access', 'offline_access'],
];

/**
 * What an application may have with a scope, as a list that people understand.
 *
 * @param owners the organizations of the projects that the scope names, in words. '' if they are not known
 */
export function scopeList(scope: string, { scopes: texts }: Texts, owners = ''): Html {
  const { known, organizations, projects } = parseScope(scope);
  const names = new Set(shown.flatMap(([name, text]) => (known.includes(name) ? text : [])));
  if (organizations.length > 0) names.add('organization');
  const items = [...names].map((name) => texts[name]);
  if (projects.length > 0) items.push(owners === '' ? texts.projects : texts.projectsOf(owners));
  return html`<ul class="granted">${items.map((text) => html`<li>${text}</li>`)}</ul>`;
}
