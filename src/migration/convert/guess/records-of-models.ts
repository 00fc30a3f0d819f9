import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { MappingEntry, MappingRules } from '../mapping/mapping-schema.js';

interface GuessedEntries {
  readonly attributes: MappingEntry[];
  readonly rules: MappingRules;
}

/** Names of models whose records are people: `auth.user`, `accounts.CustomUser`. */
const ofPeople = /(?:^|[._])(?:[a-z]*user|account|member|person|people)s?$/i;

/**
 * `dumpdata` of Django writes the records of all models into one list: `{"model": "auth.user", "pk": 1, "fields": {…}}`. Only those of one
 * model are people. Others have addresses too, and would make a person twice.
 * @returns the mapping, which gives a user name to the records of that model alone if there are several
 */
export function whoseModel(mapping: GuessedEntries, records: readonly JsonObject[]): GuessedEntries {
  const models = records.flatMap(({ model, fields }) =>
    typeof model === 'string' && isJsonObject(fields) ? [{ model, fields }] : [],
  );
  const names = [...new Set(models.map(({ model }) => model))];
  if (names.length < 2 || models.length < records.length) return mapping;
  const person =
    models.find(({ fields }) => Object.hasOwn(fields, 'password'))?.model ??
    names.find((name) => ofPeople.test(name));
  if (person === undefined) return mapping;
  const when = { from: 'model', is: person };
  const { attributes, rules } = mapping;
  const address = attributes.find(({ to }) => to === 'email')?.from;
  if (rules.userName !== 'email' || address === undefined)
    return { attributes: attributes.map((one) => (one.to === 'userName' ? { ...one, when } : one)), rules };
  const { userName: _, ...others } = rules;
  return { attributes: [...attributes, { from: address, to: 'userName', when }], rules: others };
}
