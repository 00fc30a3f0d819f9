import {
  allowedFirstFactors,
  allowedSecondFactors,
  demandedLevels,
  demandScopes,
  type FactorDemand,
  lastPolicyMoment,
  mostDemands,
  policySettingNamed,
  type SignInPolicy,
} from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { checkbox, type FormChoice, field, select } from '../http/form.js';
import { type ConsoleVisit, fieldLines, fieldText, fieldValues } from '../http/visit.js';
import { policyTexts } from './texts/texts.js';

/** The fields of the form as texts: those of a policy, or what a person typed. */
export interface PolicyFields {
  readonly identifierFirst: boolean;
  readonly firstFactors: readonly string[];
  readonly firstFactorsFrom: string;
  readonly secondFactors: readonly string[];
  readonly demands: readonly DemandFields[];
  /** Login names or identifiers. */
  readonly breakGlassOwners: readonly string[];
  readonly times: Readonly<Record<TimeName, string>>;
}

interface DemandFields {
  /** '' for a demand that is to be left out. */
  readonly of: string;
  /** Names or identifiers of groups. */
  readonly groups: readonly string[];
  readonly acr: string;
  readonly from: string;
}

/** The settings that are numbers, with the seconds or days of one unit of their fields. */
export const timeUnits = {
  rememberedBrowserDays: 1,
  sessionSeconds: 60,
  sessionIdleSeconds: 60,
  refreshTokenSeconds: 3600,
  refreshTokenIdleSeconds: 3600,
  freshSignInSeconds: 60,
} as const satisfies Partial<Record<keyof SignInPolicy, number>>;

export type TimeName = keyof typeof timeUnits;
export const timeNames = Object.keys(timeUnits) as readonly TimeName[];

/** The name of the field of a time. A field whose name has the word token is taken for a secret. */
export function timeField(name: TimeName): string {
  return name.replace('Token', '');
}

/** Finds identifiers by what a person typed. What is no name stays as it is. */
export interface TypedIdentifiers {
  group(typed: string): string;
  owner(typed: string): string;
}

/** Longer texts of a number are a mistake of the keyboard. */
const longestNumber = 20;

/** The name of a field of a demand. */
export function demandField(index: number, name: keyof DemandFields): string {
  return `demand-${index}-${name}`;
}

/** The fields that show a policy. @param nameOf the name of a group or of an owner, by its identifier */
export function fieldsOfPolicy(policy: SignInPolicy, nameOf: (id: string) => string): PolicyFields {
  const text = (name: TimeName) => {
    const value = policy[name];
    // Four decimals of an hour are less than half a second.
    return value === undefined ? '' : String(Math.round((value / timeUnits[name]) * 10_000) / 10_000);
  };
  return {
    identifierFirst: policy.identifierFirst === true,
    firstFactors: allowedFirstFactors(policy, lastPolicyMoment),
    firstFactorsFrom: policy.firstFactorsFrom ?? '',
    secondFactors: allowedSecondFactors(policy),
    demands: (policy.demands ?? []).map(({ groups = [], ...demand }) => ({
      ...demand,
      groups: groups.map(nameOf),
    })),
    breakGlassOwners: (policy.breakGlassOwners ?? []).map(nameOf),
    times: Object.fromEntries(timeNames.map((name) => [name, text(name)])) as PolicyFields['times'],
  };
}

/** What the person typed. */
export function typedPolicy(visit: ConsoleVisit): PolicyFields {
  return {
    identifierFirst: fieldText(visit, 'identifierFirst') === 'on',
    firstFactors: fieldValues(visit, 'firstFactors'),
    firstFactorsFrom: fieldText(visit, 'firstFactorsFrom'),
    secondFactors: fieldValues(visit, 'secondFactors'),
    demands: Array.from({ length: mostDemands }, (_, index) => ({
      of: fieldText(visit, demandField(index, 'of')),
      groups: fieldLines(visit, demandField(index, 'groups')),
      acr: fieldText(visit, demandField(index, 'acr')),
      from: fieldText(visit, demandField(index, 'from')),
    })),
    breakGlassOwners: fieldLines(visit, 'breakGlassOwners'),
    times: Object.fromEntries(
      timeNames.map((name) => [name, fieldText(visit, timeField(name)).slice(0, longestNumber)]),
    ) as PolicyFields['times'],
  };
}

/**
 * The policy of fields, as the API takes it. The API says what is wrong with it. What is as the service has it is left out.
 * @param ids the identifiers of groups and of owners, by what was typed
 */
export function policyOfFields(fields: PolicyFields, ids: TypedIdentifiers): object {
  const { identifierFirst, firstFactors, firstFactorsFrom, secondFactors, demands, times } = fields;
  const { breakGlassOwners } = fields;
  const isUsualFirst =
    firstFactorsFrom === '' && isSame(firstFactors, allowedFirstFactors({}, lastPolicyMoment));
  const given = timeNames.flatMap((name): [string, unknown][] =>
    times[name] === '' ? [] : [[name, numberOf(times[name], timeUnits[name])]],
  );
  const asked = demands.filter(({ of }) => of !== '').map((demand) => demandOf(demand, ids.group));
  return {
    ...(identifierFirst && { identifierFirst }),
    ...(!isUsualFirst && { firstFactors }),
    ...(firstFactorsFrom !== '' && { firstFactorsFrom }),
    ...(!isSame(secondFactors, allowedSecondFactors({})) && { secondFactors }),
    ...(asked.length > 0 && { demands: asked }),
    ...(breakGlassOwners.length > 0 && { breakGlassOwners: breakGlassOwners.map(ids.owner) }),
    ...Object.fromEntries(given),
  };
}

function demandOf({ of, groups, acr, from }: DemandFields, idOf: (group: string) => string): object {
  return { of, ...((of === 'groups' || groups.length > 0) && { groups: groups.map(idOf) }), acr, from };
}

/** A text that is no number is sent as it is, so that the API refuses it. */
function numberOf(text: string, unit: number): number | string {
  const value = Number(text.replace(',', '.')) * unit;
  return Number.isFinite(value) ? Math.round(value) : text;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

/** Shows the fields, with so many demands. Without a number, an empty one follows those that are used. */
export function policyFields(
  visit: Pick<ConsoleVisit, 'language'>,
  fields: PolicyFields,
  { rows: given }: { rows?: number | undefined } = {},
): Html {
  const texts = policyTexts[visit.language];
  const { demands } = fields;
  const used = demands.findLastIndex(({ of }) => of !== '') + 1;
  const rows = Math.min(mostDemands, given ?? used + 1);
  return html`${checkbox({ name: 'identifierFirst', label: texts.identifierFirst, hint: texts.identifierFirstHint, isChecked: fields.identifierFirst })}
${factorBoxes(visit, 'firstFactors', fields)}
${field({ name: 'firstFactorsFrom', label: texts.firstFactorsFrom, type: 'date', value: fields.firstFactorsFrom, hint: texts.firstFactorsFromHint })}
${factorBoxes(visit, 'secondFactors', fields)}
${field({ name: 'breakGlassOwners', label: texts.breakGlassOwners, value: fields.breakGlassOwners.join('\n'), hint: texts.breakGlassOwnersHint, rows: 2 })}
<h3>${texts.demands}</h3><p class="soft">${texts.demandsHint}</p>
${Array.from({ length: rows }, (_, index) => demandRow(visit, index, demands[index]))}
<h3>${texts.lives}</h3><p class="soft">${texts.livesHint}</p>
<div class="fields">${timeNames.map((name) =>
    field({
      name: timeField(name),
      label: texts[name],
      type: 'number',
      step: name === 'rememberedBrowserDays' ? '1' : 'any',
      value: fields.times[name],
      ...(name === 'rememberedBrowserDays' && { hint: texts.rememberedBrowserDaysHint }),
    }),
  )}</div>`;
}

function factorBoxes(
  { language }: Pick<ConsoleVisit, 'language'>,
  name: 'firstFactors' | 'secondFactors',
  fields: PolicyFields,
): Html {
  const texts = policyTexts[language];
  const setting = policySettingNamed(name);
  const values = setting.kind === 'set' ? setting.values : [];
  const labels: Readonly<Record<string, string>> =
    name === 'firstFactors' ? texts.firstFactor : texts.secondFactor;
  return html`<fieldset><legend>${texts[name]}</legend>${values.map((value) =>
    checkbox({ name, value, label: labels[value] ?? value, isChecked: fields[name].includes(value) }),
  )}</fieldset>`;
}

const emptyDemand: DemandFields = { of: '', groups: [], acr: '2', from: '' };

function demandRow(
  { language }: Pick<ConsoleVisit, 'language'>,
  index: number,
  demand: DemandFields = emptyDemand,
): Html {
  const texts = policyTexts[language];
  const whom: FormChoice[] = [
    { value: '', label: texts.noDemand },
    ...demandScopes.map((value: FactorDemand['of']) => ({ value, label: texts.whom[value] })),
  ];
  const levels = demandedLevels.map((value) => ({ value, label: texts.levels[value] }));
  const name = (field: keyof DemandFields) => demandField(index, field);
  return html`<fieldset class="section"><legend>${texts.demand(index + 1)}</legend>
${select({ name: name('of'), label: texts.of, choices: whom, value: demand.of })}
${select({ name: name('acr'), label: texts.acr, choices: levels, value: demand.acr || '2' })}
${field({ name: name('from'), label: texts.from, type: 'date', value: demand.from })}
${field({ name: name('groups'), label: texts.groups, value: demand.groups.join('\n'), hint: texts.groupsHint, rows: 2 })}
</fieldset>`;
}
