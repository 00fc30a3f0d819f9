import { type Html, html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import {
  type GroupOfPath,
  groupOfPath,
  groupsPath,
  type ScimGroup,
  scimGroupPath,
} from '../resources/group.js';
import { managedOrganization, organizationOfPath } from '../resources/named-organization.js';
import { groupsTexts } from './texts/texts.js';

/** The field whose name differs from that of the API. */
const names = { displayName: 'name' };

/** The form for a new group. After a refusal it has what was typed. */
export async function addGroupPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = groupsTexts[language];
  const organization = await managedOrganization(visit);
  const path = groupsPath(organization.id);
  const content = html`${nameField(visit, fieldText(visit, 'name'))}
${buttons(texts.add, { cancel: { href: at(path), label: t.cancel } })}`;
  return {
    organization,
    title: texts.add,
    crumbs: [{ href: at(path), label: t.nav.groups }],
    content: html`<div class="card">${form(visit, { action: `${path}/new`, content })}</div>`,
    ...(refused && { refused: { problem: refused, names } }),
  };
}

/** Adds a group with the name of the form. A refusal shows the form again. */
export async function addGroup(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { id: orgId } = await organizationOfPath(visit);
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
  const displayName = fieldText(visit, 'name');
  try {
    const body = { schemas, displayName };
    const { id } = await visit.api.send<ScimGroup>('POST', `${pathTo('/scim/v2', orgId)}/Groups`, body);
    return { goTo: `${pathTo(groupsPath(orgId), id)}?done=added` };
  } catch (error) {
    if (isRefusal(error)) return addGroupPage(visit, error);
    throw error;
  }
}

/** The form for another name. */
export async function renameGroupPage(visit: ConsoleVisit): Promise<ConsolePage> {
  await managedOrganization(visit);
  const subject = await groupOfPath(visit);
  return renamePage(visit, subject, { name: subject.group.displayName });
}

function renamePage(
  visit: ConsoleVisit,
  { organization, group, path }: GroupOfPath,
  { name, ...page }: { name: string } & Pick<ConsolePage, 'alert' | 'refused' | 'status'>,
): ConsolePage {
  const { at, language, t } = visit;
  const texts = groupsTexts[language];
  const content = html`${nameField(visit, name)}
${buttons(texts.rename, { cancel: { href: at(path), label: t.cancel } })}`;
  return {
    organization,
    title: group.displayName,
    subtitle: texts.rename,
    crumbs: [
      { href: at(groupsPath(organization.id)), label: t.nav.groups },
      { href: at(path), label: group.displayName },
    ],
    content: html`<div class="card">${form(visit, { action: `${path}/rename`, content, shown: { shownName: group.displayName } })}</div>`,
    ...page,
  };
}

/** Gives the group the name, unless somebody else renamed it since the form was opened. Changes of members do not count. */
export async function renameGroup(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const subject = await groupOfPath(visit);
  const { organization, group, path } = subject;
  const name = fieldText(visit, 'name');
  const texts = groupsTexts[visit.language];
  if (fieldText(visit, 'shownName') !== group.displayName.trim())
    return renamePage(visit, subject, { name, alert: texts.conflict(group.displayName), status: 409 });
  try {
    const Operations = [{ op: 'replace', path: 'displayName', value: name }];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    const match = { 'if-match': group.meta.version };
    await visit.api.send('PATCH', scimGroupPath(organization.id, group.id), { schemas, Operations }, match);
    return { goTo: `${path}?done=renamed` };
  } catch (error) {
    if (isRefusal(error)) return renamePage(visit, subject, { name, refused: { problem: error, names } });
    throw error;
  }
}

function nameField({ t }: Pick<ConsoleVisit, 't'>, value: string): Html {
  return field({ name: 'name', label: t.name, value, isRequired: true, maxLength: 200 });
}

function isRefusal(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && [400, 409, 412].includes(error.status);
}
