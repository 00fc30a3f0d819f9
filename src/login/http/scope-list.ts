import { parseScope } from '#src/authorization/scope.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { Texts } from '../texts.js';

type ScopeText = keyof Texts['scopes'];

/** The scopes without a parameter, in the order in which people see them, with the text of each. */
const shown: readonly [scope: string, text: ScopeText][] = [
  ['openid', 'openid'],
  ['profile', 'profile'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['address', 'address'],
  ['urn:service:iam:user:resourceowner', 'organization'],
  ['offline_access', 'offline_access'],
];

/** What an application may have with a scope, as a list that people understand. */
export function scopeList(scope: string, { scopes: texts }: Texts): Html {
  const { known, organizations, projects } = parseScope(scope);
  const names = new Set(shown.flatMap(([name, text]) => (known.includes(name) ? text : [])));
  if (organizations.length > 0) names.add('organization');
  if (projects.length > 0) names.add('projects');
  return html`<ul>${[...names].map((name) => html`<li>${texts[name]}</li>`)}</ul>`;
}
