import type {
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  ReferenceDocument,
} from './reference-document.js';

/** A request of curl that calls the operation. `$TOKEN` stands for a bearer token. */
export function requestExample(
  { baseUrl }: ReferenceDocument,
  operation: OperationObject,
  body?: { readonly type: string; readonly value: unknown },
): string {
  const { method, path, security } = operation;
  const parameters = operation.parameters ?? [];
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`);
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const schemes = security.flatMap((one) => Object.keys(one));
  const credentials = schemes.includes('client')
    ? ["-u 'CLIENT_ID:CLIENT_SECRET'"]
    : schemes.length > 0
      ? ['-H "Authorization: Bearer $TOKEN"']
      : [];
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${baseUrl}${address}${query.length > 0 ? `?${query.join('&')}` : ''}'`,
    ...credentials,
    ...(body === undefined ? [] : [`-H 'Content-Type: ${body.type}'`, `-d ${quoted(textOf(body))}`]),
  ].join(' \\\n  ');
}

/** The examples of a body, with the first media type of each. */
export function bodyExamples({ requestBody }: OperationObject) {
  const [first] = Object.entries(requestBody?.content ?? {}) as [string, MediaTypeObject][];
  if (first === undefined) return [];
  const [type, { examples = {} }] = first;
  return Object.values(examples).map(({ summary, value }) => ({ type, summary, value }));
}

function exampleOf({ name, example }: ParameterObject): string {
  return example === undefined ? name.toUpperCase() : String(example);
}

function textOf({ type, value }: { type: string; value: unknown }): string {
  return type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(value as Record<string, string>).toString()
    : JSON.stringify(value, undefined, 2);
}

/** A text as one argument of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
