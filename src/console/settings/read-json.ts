/** Reads a JSON object. The error names the line and the column where the text is no JSON. */
export function readJson(text: string): { value: object } | { error: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    return { error: 'The text is no JSON object: it must begin with { and end with }' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    const position = at === undefined ? text.length : Number(at);
    const before = text.slice(0, position).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    return {
      error: `The text is no JSON at ${place}: ${message.replace(/ in JSON at position.*$/s, '').slice(0, 120)}`,
    };
  }
}
