import { parseScope } from '#src/authorization/scope.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { Texts } from '../texts.js';

type ScopeText = keyof Texts['scopes'];

/** The text of each scope without a parameter. */
const textOf: Readonly<Record<string, ScopeText>> = {
  openid: 'openid',
  profile: 'profile',
  email: 'email',
  phone: 'phone',
  address: 'address',
  offline_access: 'offline_access',
  'urn:service:iam:user:resourceowner': 'organization',
};

/** What an application may have with a scope, as a list that people understand. */
export function scopeList(scope: string, { scopes: texts }: Texts): Html {
  const { known, organizations, projects } = parseScope(scope);
  const names = new Set<ScopeText>();
  for (const name of known) {
    const text = textOf[name];
    if (text !== undefined) names.add(text);
  }
  if (organizations.length > 0) names.add('organization');
  if (projects.length > 0) names.add('projects');
  return html`<ul>${[...names].map((name) => html`<li>${texts[name]}</li>`)}</ul>`;
}
