/** No form or query of this service has nearly as many parameters. */
const maxParameters = 100;

/** Decoded parameters of a form or a query. A repeated one is an array. */
type DecodedParameters = Record<string, string | string[]>;

/** Whether a form or a query has more parameters than {@link parseParameters} reads. */
export function countsTooMany(text: string): boolean {
  // A parameter more than the first needs one `&` at least.
  return text.length >= maxParameters && text.split('&', maxParameters + 1).length > maxParameters;
}

/**
 * Decodes a form or a query (WHATWG URL section 5.1) in a time that is linear in its length. It reads the first 100
 * parameters. A name or value with a malformed escape stays as it is.
 */
export function parseParameters(text: string): DecodedParameters {
  // Without a prototype, no name means more than the caller says.
  const parameters: DecodedParameters = Object.create(null);
  if (text === '') return parameters;
  for (const pair of text.split('&', maxParameters)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const known = parameters[name];
    if (known === undefined) parameters[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else parameters[name] = [known, value];
  }
  return parameters;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
