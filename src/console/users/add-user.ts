import { type Html, html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { refusalOf } from '../http/refused.js';
import { requireFreshSignIn } from '../http/require-fresh-sign-in.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, ownsOrganization } from '../http/visit.js';
import { organizationRoles } from '../memberships/roles.js';
import { managedOrganization, organizationOfPath } from '../resources/named-organization.js';
import { linkPage } from './link-page.js';
import { newUser, type ProfileField } from './profile-fields.js';
import { profileForm, typedTexts } from './profile-form.js';
import { fieldsIn, fieldsThatFit } from './registered-fields.js';
import { usersTexts } from './texts/texts.js';
import { adminUserPath, type ScimUser, usersPath } from './user.js';

/**
 * The form for a new user. After a refusal it has what was typed, but no password.
 * @param options `canMail`: the user can get the link by mail
 */
export async function addUserPage(
  visit: ConsoleVisit,
  { canMail, refused }: { canMail: boolean; refused?: ApiProblem },
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = usersTexts[language];
  const organization = await managedOrganization(visit);
  const path = usersPath(organization.id);
  const credential = fieldText(visit, 'credential') || 'link';
  const choices = [
    ['link', texts.byLink],
    ...(canMail ? [['mail', texts.byMail]] : []),
    ['password', texts.byPassword],
  ];
  const fields = basicFields(await fieldsIn(visit, organization.id));
  const content = html`${profileForm(visit, { fields, values: typedTexts(visit, fields) })}
<fieldset class="section"><legend>${texts.password}</legend>
${choices.map(([value = '', label = '']) => checkbox({ type: 'radio', name: 'credential', value, label, isChecked: credential === value }))}
${field({ name: 'password', type: 'password', label: texts.password, maxLength: 1_000 })}
</fieldset>
${ownsOrganization(visit, organization.id) && roleField(visit)}
${buttons(texts.add, { cancel: { href: at(path), label: t.cancel } })}`;
  return {
    organization,
    title: texts.add,
    crumbs: [{ href: at(path), label: t.nav.users }],
    content: html`<div class="card">${form(visit, { action: `${path}/new`, content })}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

/**
 * Adds the user. If the person gave no password, the user sets one by a link, which is shown or sent by mail. A link needs a fresh sign-in:
 * without one nobody is added, and the form comes back.
 * @param options `canMail`: the user can get the link by mail
 */
export async function addUser(
  visit: ConsoleVisit,
  { canMail }: { canMail: boolean },
): Promise<ConsolePage | GoTo> {
  const { api } = visit;
  const { id: orgId, name } = await organizationOfPath(visit);
  const isByPassword = fieldText(visit, 'credential') === 'password';
  const role = fieldText(visit, 'role');
  if (!isByPassword || role !== '') requireFreshSignIn(visit);
  // Spaces belong to a password.
  const { password } = visit.request.body as { password?: unknown };
  const fields = basicFields(await fieldsIn(visit, orgId));
  const body = { ...newUser(fields, typedTexts(visit, fields)), ...(isByPassword && { password }) };
  let user: ScimUser;
  try {
    user = await api.send<ScimUser>('POST', `${pathTo('/scim/v2', orgId)}/Users`, body);
  } catch (error) {
    if (error instanceof ApiProblem && (error.status === 400 || error.status === 409))
      return addUserPage(visit, { canMail, refused: error });
    throw error;
  }
  const path = pathTo(usersPath(orgId), user.id);
  if (role !== '') {
    const memberships = `${pathTo('/admin/v1/orgs', orgId)}/memberships`;
    const problem = await refusalOf(() => api.send('POST', memberships, { userId: user.id, role }));
    // The user exists, so the form must not be sent again.
    if (problem) return { goTo: `${path}?done=addedWithoutRole` };
  }
  if (isByPassword) return { goTo: `${path}?done=added` };
  const links = `${adminUserPath(orgId, user.id)}/one-time-links`;
  try {
    if (fieldText(visit, 'credential') === 'mail') {
      await api.send('POST', links, { delivery: 'mail' });
      return { goTo: `${path}?done=addedByMail` };
    }
    const link = await api.send<{ url: string; expires: string }>('POST', links, {});
    return linkPage(visit, {
      subject: { organization: { id: orgId, name }, user, path },
      link,
      done: 'added',
    });
  } catch (error) {
    // The user exists, so the form must not be sent again. The page of the user says that there is no link.
    const isByMail = fieldText(visit, 'credential') === 'mail';
    if (error instanceof ApiProblem)
      return { goTo: `${path}?done=${isByMail ? 'addedWithoutMail' : 'addedWithoutLink'}` };
    throw error;
  }
}

/** The role that makes the user an administrator. Only an owner gives one. */
function roleField(visit: ConsoleVisit): Html {
  const texts = usersTexts[visit.language];
  const choices = [{ value: '', label: texts.noRole }, ...organizationRoles(visit)];
  const value = fieldText(visit, 'role');
  return select({ name: 'role', label: texts.roles.role, choices, value, hint: texts.roleHint });
}

/** The fields of the form for a new user. */
function basicFields(fields: readonly ProfileField[]): readonly ProfileField[] {
  return fieldsThatFit(fields.filter(({ isBasic }) => isBasic)).shown;
}
