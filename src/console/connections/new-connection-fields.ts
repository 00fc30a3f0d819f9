import { type Html, html } from '#src/http/pages/html.js';
import { newId } from '#src/platform/ids.js';
import { checkbox, field, select } from '../http/form.js';
import type { ConsoleVisit } from '../http/visit.js';
import { provisionerField } from './provisioner-field.js';
import { connectionsTexts } from './texts/texts.js';

/** A field of the form: what was typed, or `usual` in a form that is shown first. */
export type TypedField = (name: string, usual?: string) => string;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is the identifier that a form has chosen. */
function isChosenId(text: string): boolean {
  return uuid.test(text);
}

/**
 * The identifier of the new connection. It is chosen with the page, so that the addresses for the provider are known before the connection exists.
 * @param typed the identifier that the form was sent with
 */
export function newConnectionId(visit: ConsoleVisit, typed: string): string {
  const kept = visit.draft?.typed?.['id']?.[0] ?? typed;
  return isChosenId(kept) ? kept : newId();
}

/** The field for the name on the button. */
export function nameField({ language }: ConsoleVisit, value: string): Html {
  const { nameField: label, nameHint: hint } = connectionsTexts[language];
  return field({ name: 'name', label, value, isRequired: true, maxLength: 200, hint });
}

/** What every new connection is asked for beside its provider: who provisions, who is added, and whether it serves at once. */
export async function newConnectionFields(visit: ConsoleVisit, typed: TypedField): Promise<Html> {
  const texts = connectionsTexts[visit.language];
  return html`${await provisionerField(visit, typed('provisionedBy'))}
${select({
  name: 'creation',
  label: texts.creation,
  choices: (['refuse', 'create'] as const).map((value) => ({ value, label: texts[`creation_${value}`] })),
  value: typed('creation', 'refuse'),
  hint: texts.creationHint,
})}
${checkbox({ name: 'enabled', label: texts.enabledField, hint: texts.enabledHint, isChecked: typed('enabled') === 'on' })}`;
}

/** What these fields say to the API. */
export function newConnectionBody(typed: TypedField) {
  const [id, provisionedBy] = [typed('id'), typed('provisionedBy')];
  return {
    ...(isChosenId(id) && { id }),
    name: typed('name'),
    enabled: typed('enabled') === 'on',
    creation: typed('creation') === 'create' ? 'create' : 'refuse',
    linking: { ...(provisionedBy !== '' && { provisionedBy }) },
  };
}
