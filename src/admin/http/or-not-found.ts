import { AppError, type ErrorDefinition } from '#src/platform/errors.js';

/** Returns what a store found. @throws AppError with the given definition if it found nothing */
export async function orNotFound<T>(found: Promise<T | undefined>, definition: ErrorDefinition): Promise<T> {
  const value = await found;
  if (value === undefined) throw new AppError(definition);
  return value;
}
