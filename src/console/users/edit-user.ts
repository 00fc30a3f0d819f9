import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, form } from '../http/form.js';
import { problemText } from '../http/problem-page.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { managedOrganization } from '../resources/named-organization.js';
import { conflictAlert } from './conflict.js';
import { findManager, type Manager, managerField, managerName } from './manager-field.js';
import { differences, type ProfileField, type ProfileTexts, textOf, textsOf } from './profile-fields.js';
import { labelOf, profileForm, typedTexts } from './profile-form.js';
import { fieldsIn, fieldsThatFit } from './registered-fields.js';
import { usersTexts } from './texts/texts.js';
import { scimUserPath, type UserOfPath, userOfPath, usersPath } from './user.js';

/** The form for the profile of a user. */
export async function editUserPage(visit: ConsoleVisit): Promise<ConsolePage> {
  await managedOrganization(visit);
  const subject = await userOfPath(visit);
  const { shown, left } = fieldsThatFit(await fieldsIn(visit, subject.organization.id), subject.user);
  const values = textsOf(subject.user, shown);
  const manager = await managerName(visit, subject.organization.id, values['manager'] ?? '');
  return profilePage(visit, subject, { fields: shown, left, values: { ...values, manager } });
}

/**
 * @param shown `values`: what the fields have. The form also carries what the user has at present, so that a change by somebody else
 * is noticed when the form is sent
 */
function profilePage(
  visit: ConsoleVisit,
  { organization, user, path }: UserOfPath,
  shown: {
    fields: readonly ProfileField[];
    /** Fields that the form has no room for. */
    left?: readonly ProfileField[];
    /** The manager is as the field shows it. */
    values: ProfileTexts;
    /** The people whom the text of the manager may mean. */
    candidates?: Extract<Manager, { candidates: unknown }>['candidates'];
  } & Pick<ConsolePage, 'alert' | 'status'>,
): ConsolePage {
  const { at, t } = visit;
  const { fields, left = [], values, candidates, ...page } = shown;
  const texts = usersTexts[visit.language];
  const value = values['manager'] ?? '';
  const content = html`${profileForm(visit, { fields, values, person: (common) => managerField(visit, organization.id, { ...common, value, candidates }) })}
${left.length > 0 && html`<p class="hint">${texts.noRoom(left.map((field) => labelOf(field, texts)).join(', '))}</p>`}
${buttons(t.save, { cancel: { href: at(path), label: t.cancel } })}`;
  return {
    organization,
    title: user.displayName,
    subtitle: t.edit,
    crumbs: [
      { href: at(usersPath(organization.id)), label: t.nav.users },
      { href: at(path), label: user.displayName },
    ],
    content: html`<div class="card">${form(visit, { action: `${path}/edit`, content, shown: { shownJson: JSON.stringify(textsOf(user, fields)) } })}</div>`,
    ...page,
  };
}

/** Writes what the person changed, unless somebody else changed the same profile since the form was opened. */
export async function editUser(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const subject = await userOfPath(visit);
  const { user, organization, path } = subject;
  const before = shownTexts(fieldText(visit, 'shownJson'));
  // The form had these fields. Values that others wrote since do not change which.
  const fields = (await fieldsIn(visit, organization.id)).filter(
    ({ name, registered }) => registered === undefined || Object.hasOwn(before, name),
  );
  const typed = typedTexts(visit, fields);
  const manager = await findManager(visit, organization.id, {
    text: typed['manager'] ?? '',
    current: before['manager'] ?? '',
  });
  if ('candidates' in manager) {
    const alert = usersTexts[visit.language].managerUnclear;
    return profilePage(visit, subject, { fields, values: typed, ...manager, alert, status: 400 });
  }
  const values = { ...typed, manager: manager.id };
  const changed = fields.filter((field) => (before[field.name] ?? '') !== textOf(user, field));
  if (changed.length > 0) {
    const alert = await conflictAlert(visit, subject, { before, values, changed });
    return profilePage(visit, subject, { fields, values: typed, alert, status: 409 });
  }
  const Operations = differences(user, { fields, given: values });
  if (Operations.length === 0) return { goTo: `${path}?done=saved` };
  const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
  try {
    await visit.api.send('PATCH', scimUserPath(organization.id, user.id), body, {
      'if-match': user.meta.version,
    });
    return { goTo: `${path}?done=saved` };
  } catch (error) {
    if (!(error instanceof ApiProblem) || ![400, 409, 412].includes(error.status)) throw error;
    // Somebody wrote between the reading above and the change. The next attempt compares again.
    return profilePage(visit, subject, {
      fields,
      values: typed,
      alert: problemText(error),
      status: error.status,
    });
  }
}

/** What the fields had when the form was opened. A text that is no such thing makes every field with a value a changed one. */
function shownTexts(json: string): ProfileTexts {
  try {
    const read: unknown = JSON.parse(json);
    const entries = Object.entries(typeof read === 'object' && read !== null ? read : {});
    return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}
