/** The next token: a mark, a text, or another value. */
const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/uy;

type Expected = 'value' | 'valueOrEnd' | 'keyOrEnd' | 'key' | 'colon' | 'commaOrEnd' | 'nothing';

/**
 * Returns the position of the first character with which a text stops being JSON (RFC 8259), or its length if it ends too early. The
 * errors of `JSON.parse` name the place only sometimes.
 */
export function jsonFault(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  token.lastIndex = 0;
  for (;;) {
    const at = token.lastIndex;
    const found = token.exec(text);
    const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    if (found === null) return start;
    const next = after(expected, { mark: found[1], isText: found[2] !== undefined }, open);
    if (next === undefined) return start;
    expected = next;
  }
}

/** What may follow a token, or undefined if the token may not be here. */
function after(
  expected: Expected,
  { mark, isText }: { mark: string | undefined; isText: boolean },
  open: ('{' | '[')[],
): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'commaOrEnd');
  const wantsValue = expected === 'value' || expected === 'valueOrEnd';
  if (mark === undefined) {
    if (wantsValue) return afterValue();
    return isText && (expected === 'key' || expected === 'keyOrEnd') ? 'colon' : undefined;
  }
  if (mark === '{' || mark === '[') {
    if (!wantsValue) return undefined;
    open.push(mark);
    return mark === '{' ? 'keyOrEnd' : 'valueOrEnd';
  }
  if (mark === ':') return expected === 'colon' ? 'value' : undefined;
  const inner = open.at(-1);
  if (mark === ',') {
    if (expected !== 'commaOrEnd') return undefined;
    return inner === '{' ? 'key' : 'value';
  }
  const mayEnd =
    inner === (mark === '}' ? '{' : '[') &&
    (expected === 'commaOrEnd' || expected === (mark === '}' ? 'keyOrEnd' : 'valueOrEnd'));
  if (!mayEnd) return undefined;
  open.pop();
  return afterValue();
}
