import type { LoginName } from '#src/authentication/index.js';
import { formText } from '#src/http/pages/form-text.js';
import type { Visit } from './visit.js';

/** The login name of a form, with what the application and the person say about its organization. */
export function readLoginName(
  body: unknown,
  { onlyOrgId, application }: Pick<Visit, 'onlyOrgId' | 'application'>,
): LoginName & { readonly organization: string } {
  return {
    text: formText(body, 'loginName'),
    // A page whose application decides the organization has no field for it.
    organization: onlyOrgId === undefined ? formText(body, 'organization').trim() : '',
    ...(onlyOrgId !== undefined && { orgId: onlyOrgId }),
    ...(application && { preferredOrgId: application.orgId }),
  };
}
