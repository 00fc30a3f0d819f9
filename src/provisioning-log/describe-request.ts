const maxText = 300;
const maxParameters = 20;
const maxAttributes = 10;

/**
 * Returns a path without what could be personal. Segments that look like an identifier or a resource type stay. Others, such as
 * an e-mail address, become `…`.
 */
export function describePath(path: string): string {
  const segments = path.split('/').slice(0, 8);
  return segments.map((segment) => (/^[\w.~-]{0,100}$/.test(segment) ? segment : '…')).join('/') || '/';
}

/**
 * Returns the names of the parameters of a query. Of a filter it has the names of the attributes too, and of no other parameter
 * the value, because values are data of people.
 * @param isAttribute whether a name in lower case is one of an attribute. Other words of a filter may be values
 */
export function describeQuery(
  query: Readonly<Record<string, unknown>>,
  isAttribute: (name: string) => boolean,
): string {
  return Object.entries(query)
    .slice(0, maxParameters)
    .map(([name, value]) => {
      const shown = /^[\w.-]{1,40}$/.test(name) ? name : '…';
      if (name.toLowerCase() !== 'filter' || typeof value !== 'string') return shown;
      return `${shown}(${attributesOf(value, isAttribute).join(', ')})`;
    })
    .join('&')
    .slice(0, maxText);
}

/** A word before an operator (RFC 7644 figure 1). Each class is bounded, so that the cost is linear in the text. */
const beforeOperator = /([A-Za-z][\w.:$-]{0,150})(?:\[| {1,4}(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)\b)/gi;

function attributesOf(filter: string, isAttribute: (name: string) => boolean): string[] {
  const outsideTexts = filter.slice(0, 2_000).replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '""');
  const names = [...outsideTexts.matchAll(beforeOperator)].map(([, name = '']) => name);
  return [...new Set(names.map((name) => (isAttribute(name.toLowerCase()) ? name : '…')))].slice(
    0,
    maxAttributes,
  );
}

/** Returns the user agent in printable ASCII, or undefined without one. */
export function describeUserAgent(userAgent: string | undefined): string | undefined {
  const text = userAgent?.replace(/[^\x20-\x7e]/g, '').slice(0, 200);
  return text === '' ? undefined : text;
}
