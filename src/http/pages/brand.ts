import type { Organization } from '#src/directory/organizations/organization.js';
import { type Html, html } from './html.js';

/** The name and the logo of an organization, at the top of its pages. */
export function brand({ name, login }: Organization): Html {
  const picture =
    login.logoUrl === undefined
      ? html`<span class="mark" aria-hidden="true">${initialOf(name)}</span>`
      : html`<img src="${login.logoUrl}" alt="" referrerpolicy="no-referrer">`;
  return html`<p class="brand">${picture}<span>${name}</span></p>`;
}

/** The origin of the organization's logo, for the page's policy. */
export function brandSources(organization: Organization | undefined): string[] {
  const logo = organization?.login.logoUrl;
  return logo === undefined ? [] : [logo];
}

/** The first letter of a name, for pages without a logo. */
export function initialOf(name: string): string {
  return ([...name.trim()][0] ?? '?').toUpperCase();
}
