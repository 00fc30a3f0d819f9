import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A record of the wanted shape, or one line that says what is wrong with it. */
type CheckedShape<T> = { readonly record: T } | { readonly fault: string };

/**
 * Makes a check of the shape of records. It ignores properties that the schema does not name. The schema is compiled when the check is
 * first used, because most processes never read a record of most lists.
 */
export function createShapeCheck<T extends TSchema>(schema: T): (value: unknown) => CheckedShape<Static<T>> {
  const compile = () => Compile(schema);
  let compiled: ReturnType<typeof compile> | undefined;
  return (value) => {
    compiled ??= compile();
    if (compiled.Check(value)) return { record: value };
    const [first] = compiled.Errors(value);
    const place = (first?.instancePath ?? '').slice(1).replaceAll('/', '.');
    return { fault: `${place === '' ? 'The record' : place} ${first?.message ?? 'is not valid'}` };
  };
}
