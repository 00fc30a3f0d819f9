import { type Html, html } from '#src/http/pages/html.js';
import type { UploadRules } from '#src/migration/convert/upload/convert-upload.js';
import { checkbox, select } from '../http/form.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { addManyTexts } from './texts/texts.js';

/** What a person decides about all people of a file. */
export interface Choices {
  readonly update: boolean;
  readonly withoutCredentials: boolean;
  readonly dropHashes: boolean;
  readonly secondFactors: (typeof factorRules)[number];
}

const factorRules = ['drop', 'refuse', 'link'] as const;
const flags = ['update', 'withoutCredentials', 'dropHashes'] as const;

/** The choices of a form, or of the address of a page. */
export function uploadChoicesOf(visit: Pick<ConsoleVisit, 'request'>): Choices {
  const read = (name: string) => fieldText(visit, name) || queryText(visit, name);
  const [update, withoutCredentials, dropHashes] = flags.map((name) => read(name) === 'on');
  return {
    ...{ update: update === true, withoutCredentials: withoutCredentials === true },
    ...{ dropHashes: dropHashes === true },
    secondFactors: factorRules.find((rule) => rule === read('secondFactors')) ?? 'drop',
  };
}

/** The choices as fields of a form, or as a query. Those that are the usual ones are left out. */
export function choicesAsFields(choices: Choices): Record<string, string> {
  const { secondFactors } = choices;
  return {
    ...Object.fromEntries(flags.flatMap((name) => (choices[name] ? [[name, 'on']] : []))),
    ...(secondFactors !== 'drop' && { secondFactors }),
  };
}

/** The rules of a conversion. */
export function uploadRulesOf({ withoutCredentials, dropHashes, secondFactors }: Choices): UploadRules {
  return { dropHashes, secondFactors, ...(withoutCredentials && { withoutCredentials: 'allow' }) };
}

/** The controls. @param isConverted whether the file is of another system, so that a second factor may not move */
export function ruleFields(
  { language }: Pick<ConsoleVisit, 'language'>,
  choices: Choices,
  isConverted: boolean,
): Html {
  const t = addManyTexts[language];
  const labels = { drop: t.factorDrop, refuse: t.factorRefuse, link: t.factorLink };
  const box = (name: (typeof flags)[number], label: string, hint: string) =>
    checkbox({ name, label, hint, isChecked: choices[name] });
  return html`${box('update', t.update, t.updateHint)}
<h3>${t.rules}</h3><p class="soft">${t.rulesHint}</p>
${box('withoutCredentials', t.withoutCredentials, t.withoutCredentialsHint)}${box('dropHashes', t.dropHashes, t.dropHashesHint)}${
  isConverted &&
  select({
    ...{ name: 'secondFactors', label: t.secondFactors, value: choices.secondFactors },
    choices: factorRules.map((value) => ({ value, label: labels[value] })),
  })
}`;
}
