/** The constants of exports of other systems, by their number. The first one means that there is no value. */
const constants = ['GENDER_UNSPECIFIED', 'GENDER_FEMALE', 'GENDER_MALE', 'GENDER_DIVERSE'] as const;

/**
 * Returns the gender of a record as OpenID Connect Core section 5.1 has it: `female`, `male` or another word. `GENDER_FEMALE` and 1
 * are `female`. A number without a meaning is no gender.
 */
export function importedGender(given: string | number | undefined): string | undefined {
  const text = typeof given === 'number' ? constants[given] : given;
  if (text === undefined || text.toUpperCase() === constants[0]) return undefined;
  const isConstant = constants.some((constant) => constant === text.toUpperCase());
  return isConstant ? text.slice('GENDER_'.length).toLowerCase() : text;
}
