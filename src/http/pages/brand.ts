import type { Organization } from '#src/directory/index.js';
import { brandStyle, schemeStyle } from './brand-colors.js';
import { type Html, html, type PageOptions } from './html.js';
import type { ColorScheme } from './palette.js';

/** What pages show of an organization. */
export type Branded = Pick<Organization, 'name' | 'login'>;

/**
 * The logo of an organization at the top of its pages, or its initial and its name. If the logo cannot be loaded, browsers show the
 * name in its place.
 */
export function brand({ name, login }: Branded): Html {
  const { logoUrl } = login;
  if (logoUrl === undefined) {
    return html`<p class="brand"><span class="mark" aria-hidden="true">${initialOf(name)}</span><span>${name}</span></p>`;
  }
  return html`<p class="brand"><img class="logo" src="${logoUrl}" alt="${name}" referrerpolicy="no-referrer"></p>`;
}

/** The mark of pages that belong to no organization: a key, as in `asset.routes.ts`. */
export const serviceMark: Html = html`<p class="service"><span class="mark" aria-hidden="true"><svg viewBox="0 0 24 24"><circle cx="8.5" cy="15" r="4"/><path d="m11.5 12 7-7m-3.5 3.5 3 3"/></svg></span></p>`;

/**
 * What the look of an organization needs of the page's policy: its pictures and its colours.
 * @param scheme without it, the browser chooses light or dark
 */
export function brandOptions(
  organization: Branded | undefined,
  scheme?: ColorScheme,
): Pick<PageOptions, 'imageSources' | 'style'> {
  const { logoUrl, faviconUrl, brandColor } = organization?.login ?? {};
  return {
    imageSources: [logoUrl, faviconUrl].filter((url) => url !== undefined),
    ...(brandColor !== undefined && { style: brandStyle(brandColor) }),
    ...(scheme !== undefined && { style: schemeStyle(scheme, brandColor) }),
  };
}

/** The first letter of a name, for people and organizations without a picture. */
export function initialOf(name: string): string {
  return ([...name.trim()][0] ?? '?').toUpperCase();
}
