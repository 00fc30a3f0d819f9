import { jsonFault } from './json-fault.js';

/** Reads a JSON object. The error names the line and the column where the text is no JSON. */
export function readJson(text: string): { value: object } | { error: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    return { error: 'The text is no JSON object: it must begin with { and end with }' };
  } catch {
    const position = jsonFault(text);
    const before = text.slice(0, position).split('\n');
    const lineAndColumn = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    const rest = text.slice(position, position + 20).split('\n', 1)[0] ?? '';
    return { error: `The text is no JSON at ${lineAndColumn}: ${rest === '' ? 'it ends too early' : rest}` };
  }
}
