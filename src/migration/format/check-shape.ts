import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A record of the wanted shape, or in one line what is wrong with it. */
export type CheckedShape<T> = { readonly record: T } | { readonly problem: string };

/** Makes a reader of the records of one section. Properties that the schema does not name are left alone. */
export function createShapeCheck<T extends TSchema>(schema: T): (value: unknown) => CheckedShape<Static<T>> {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return { record: value };
    const [first] = compiled.Errors(value);
    const place = (first?.instancePath ?? '').slice(1).replaceAll('/', '.');
    return { problem: `${place === '' ? 'The record' : place} ${first?.message ?? 'is not valid'}` };
  };
}
