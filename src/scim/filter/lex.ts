import { AppError, type ErrorDefinition } from '#src/platform/errors.js';

/** `word`: a name, an operator or a keyword; `suffix`: the `.value` after a closing bracket. */
export interface Token {
  readonly kind: 'word' | 'suffix' | 'string' | 'number' | '(' | ')' | '[' | ']' | 'end';
  readonly text: string;
}

// It takes linear time: each alternative begins with another character, and no repetition contains a repetition.
// Words and literals end at a blank, a bracket or the end of the text.
const token =
  /[ \t]*(?:(?<bracket>[()[\]])|(?<word>[A-Za-z_$][\w$:.-]*)(?=[ \t()[\]]|$)|(?<suffix>(?<=\])\.[A-Za-z_$][\w$-]*)(?=[ \t]|$)|(?<string>"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")(?=[ \t)\]]|$)|(?<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[ \t)\]]|$)|(?<end>$))/uy;

/**
 * Splits a filter or a PATCH path into tokens. The last token is of kind `end`.
 * @param invalid the error for text that is no token
 */
export function lex(text: string, invalid: ErrorDefinition): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  do {
    token.lastIndex = position;
    const groups = token.exec(text)?.groups;
    if (groups === undefined)
      throw new AppError(invalid, { detail: `Unexpected text at character ${position + 1}` });
    position = token.lastIndex;
    tokens.push(toToken(groups));
  } while (tokens.at(-1)?.kind !== 'end');
  return tokens;
}

function toToken({ bracket, word, suffix, string, number }: Record<string, string | undefined>): Token {
  if (bracket !== undefined) return { kind: bracket as Token['kind'], text: bracket };
  if (word !== undefined) return { kind: 'word', text: word };
  if (suffix !== undefined) return { kind: 'suffix', text: suffix.slice(1) };
  if (string !== undefined) return { kind: 'string', text: string };
  if (number !== undefined) return { kind: 'number', text: number };
  return { kind: 'end', text: '' };
}
