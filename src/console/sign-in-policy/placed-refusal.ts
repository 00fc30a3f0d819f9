import type { RefusedValue } from '#src/http/refusals/refusal-in-words.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { demandField, type PolicyFields, timeField, timeNames, timeUnits } from './policy-form.js';

/** The refusal with the names of the fields of the form, and bounds in the units of its fields. */
export function placedRefusal(
  { status, id, errors }: ApiRefusal,
  { demands }: Pick<PolicyFields, 'demands'>,
): ApiRefusal {
  // The API gets the demands without those that are left out.
  const rows = demands.flatMap(({ of }, index) => (of === '' ? [] : [index]));
  return { status, id, errors: errors.map((one) => inUnits(inRow(one, rows))) };
}

function inRow(value: RefusedValue, rows: readonly number[]): RefusedValue {
  const [list, position, member, ...rest] = value.path;
  const row = rows[Number(position)];
  if (list !== 'demands' || row === undefined) return value;
  const name = member === 'groups' || member === 'acr' || member === 'from' ? member : 'of';
  return { ...value, path: [demandField(row, name), ...rest] };
}

function inUnits(value: RefusedValue): RefusedValue {
  const name = timeNames.find((one) => one === value.path[0]);
  const unit = name === undefined ? 1 : timeUnits[name];
  const params = Object.entries(value.params).map(([param, one]) => [
    param,
    typeof one === 'number' ? one / unit : one,
  ]);
  const path = name === undefined ? value.path : [timeField(name)];
  return { ...value, path, params: Object.fromEntries(params) };
}
