import { field } from '#src/http/pages/form.js';
import type { Html } from '#src/http/pages/html.js';
import type { Visit } from './visit.js';

/**
 * The field for the organization of a login name that people of several organizations have. The page shows it whether
 * the name is one of those or not, and so reveals nothing. Undefined if the application decides the organization.
 */
export function organizationField(
  { texts: t, onlyOrgId }: Pick<Visit, 'texts' | 'onlyOrgId'>,
  value = '',
): Html | undefined {
  if (onlyOrgId !== undefined) return undefined;
  const label = t.organization;
  return field({
    name: 'organization',
    label,
    value,
    autocomplete: 'organization',
    hint: t.organizationHint,
    isOptional: true,
  });
}
