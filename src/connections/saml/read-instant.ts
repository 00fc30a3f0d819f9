const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the milliseconds since 1970 of an `xs:dateTime` with its time zone (SAML Core section 1.3.3). Undefined for anything else. */
export function readInstant(text: string): number | undefined {
  const time = shape.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
