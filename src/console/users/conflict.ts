import { filled, type Html, html } from '#src/http/pages/html.js';
import { moment, table } from '../http/parts.js';
import { type ConsoleVisit, ownsOrganization } from '../http/visit.js';
import type { FoundEvents } from '../log/event-list.js';
import { type ProfileField, type ProfileTexts, textOf } from './profile-fields.js';
import { labelOf } from './profile-form.js';
import { usersTexts } from './texts/texts.js';
import type { UserOfPath } from './user.js';

/** What somebody else changed while the person had the form open, beside what the person typed. */
export async function conflictAlert(
  visit: ConsoleVisit,
  subject: UserOfPath,
  {
    before,
    values,
    changed,
  }: { before: ProfileTexts; values: ProfileTexts; changed: readonly ProfileField[] },
): Promise<Html> {
  const texts = usersTexts[visit.language];
  const { conflict } = texts;
  return html`<p><strong>${visit.t.problems.conflict}</strong></p>
<p>${conflict.text} ${await lastChange(visit, subject)}</p>
${table({
  caption: conflict.text,
  columns: [conflict.field, conflict.before, conflict.now, conflict.yours],
  rows: changed.map((field) => [
    labelOf(field, texts),
    before[field.name] ?? '',
    textOf(subject.user, field),
    values[field.name] ?? '',
  ]),
})}`;
}

/** By whom and when. Only owners may read events. */
async function lastChange(
  visit: ConsoleVisit,
  { organization, user }: UserOfPath,
): Promise<Html | undefined> {
  if (!ownsOrganization(visit, organization.id)) return undefined;
  const { events, names = [] } = await visit.api.send<FoundEvents>('POST', '/admin/v1/events/_search', {
    aggregateId: user.id,
    resourceOwner: organization.id,
    eventTypes: ['user.human.changed', 'user.deactivated', 'user.reactivated'],
    limit: 1,
    names: true,
  });
  const [last] = events;
  if (last === undefined) return undefined;
  const { language } = visit;
  const { userId } = last.editor;
  const who = names.find(({ id }) => id === userId)?.name ?? userId;
  const when = moment(last.creationDate, language);
  return filled(usersTexts[language].conflict.lastChange, { who, when });
}
