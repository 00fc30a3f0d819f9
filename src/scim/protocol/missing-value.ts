import { ruleId } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from './errors.js';

/** The error of a resource that lacks required attributes. */
export function missingValue(names: readonly string[], definition = scimErrors.missingValue): AppError {
  const violations = names.map((name) => ({
    path: [name],
    id: ruleId('required'),
    detail: `${name} is required`,
  }));
  return new AppError(definition, { detail: `Required: ${names.join(', ')}`, violations });
}
