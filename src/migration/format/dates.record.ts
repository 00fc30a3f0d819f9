import Type from 'typebox';

const dateTime = Type.Optional(Type.String({ maxLength: 64 }));

/** When an object was created and last changed, in RFC 3339. Without them, it is created at the time of the import. */
export const datesRecord = { created: dateTime, lastModified: dateTime };

/** The dates as an export writes them. */
export function exportedDates({ created, lastModified }: { created: Date; lastModified: Date }) {
  const text = created.toISOString();
  // An object that was never changed has the same date twice.
  const isUnchanged = created.getTime() === lastModified.getTime();
  return { created: text, lastModified: isUnchanged ? text : lastModified.toISOString() };
}
