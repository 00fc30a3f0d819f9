import type { Role } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { objectTexts } from '../credentials/texts/texts.js';
import type { FormChoice } from '../http/form.js';

/** The roles in an organization, in words. */
export function organizationRoles(language: Language): readonly FormChoice[] {
  const t = objectTexts[language];
  const named = [
    ['ORG_USER_MANAGER', t.roleManager],
    ['ORG_USER_VIEWER', t.roleViewer],
    ['ORG_OWNER', t.roleOwner],
    ['IMPERSONATOR', t.roleImpersonator],
  ] as const satisfies readonly (readonly [Role, string])[];
  return named.map(([value, label]) => ({ value, label: `${label} (${value})` }));
}
