import type { FactorDemand, PolicyDay, SignInPolicySettingName } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { consoleTexts } from '../../texts/texts.js';
import { policyTexts } from '../texts/texts.js';

/** The label of a setting where its value is told, and not asked for. */
export function policyLabel(language: Language, name: SignInPolicySettingName): string {
  const texts = policyTexts[language];
  return { ...texts, ...texts.inWords }[name];
}

/**
 * The value of a setting in words, one for each item of a list.
 * @param nameOf the name of a group or of an owner, by its identifier
 */
export function policyValue(
  language: Language,
  name: SignInPolicySettingName,
  value: string | number | boolean | readonly (string | FactorDemand)[],
  nameOf: (groupId: string) => string = (id) => id,
): readonly string[] {
  const { firstFactor, secondFactor, noFactor } = policyTexts[language];
  if (typeof value === 'boolean') return [consoleTexts[language][value ? 'yes' : 'no']];
  if (typeof value === 'string') return [dayInWords(language, value)];
  if (typeof value === 'number') return [timeInWords(language, name, value)];
  if (value.length === 0) return [noFactor];
  if (name === 'breakGlassOwners') return value.map((one) => nameOf(String(one)));
  const factors: Readonly<Record<string, string>> = name === 'firstFactors' ? firstFactor : secondFactor;
  return value.map((one) =>
    typeof one === 'string' ? (factors[one] ?? one) : demandInWords(language, one, nameOf),
  );
}

function demandInWords(
  language: Language,
  { of, groups = [], acr, from }: FactorDemand,
  nameOf: (groupId: string) => string,
): string {
  const texts = policyTexts[language];
  const whom = of === 'groups' ? texts.groupsInWords(groups.map(nameOf).join(', ')) : texts.whom[of];
  return texts.demandInWords(dayInWords(language, from), texts.levels[acr], whom);
}

/** A day in words. */
export function dayInWords(language: Language, day: PolicyDay): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** The units of times, the largest first, in seconds. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A time in the largest unit of which it is a whole number. */
function timeInWords(language: Language, name: SignInPolicySettingName, value: number): string {
  if (name === 'rememberedBrowserDays' && value === 0) return policyTexts[language].never;
  const seconds = name === 'rememberedBrowserDays' ? value * 86_400 : value;
  const [unit, size] = units.find(([, one]) => seconds % one === 0) ?? ['second', 1];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}
