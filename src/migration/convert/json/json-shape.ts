import { ValueScanner } from '#src/platform/json/value-scanner.js';

/** Where a JSON text has its records. */
export interface JsonShape {
  /** `lines`: one object on each line. `items`: a list or an object of objects. `sequence`: objects that follow each other. */
  readonly kind: 'lines' | 'items' | 'sequence';
  /** The way to the list, or to the object of objects. Empty if the text itself is one. */
  readonly at: readonly string[];
}

/** Raised when the place of the records cannot be found. Its message follows the name of the file. */
export class ShapeError extends Error {}

/** What the head of a text tells of a value. */
interface Seen {
  readonly kind: 'list' | 'object' | 'scalar';
  /** Whether the first item of a list, or the first member of an object, is an object. */
  readonly members: ReadonlyMap<string, Seen>;
  /** The place behind the value. Undefined if it goes on behind the head. */
  readonly end: number | undefined;
  readonly length: number;
  readonly hasObjects: boolean;
}

/** Names of members that hold people, or the answer that holds them. */
const containers = [
  ...[
    'users',
    'people',
    'persons',
    'members',
    'accounts',
    'identities',
    'employees',
    'contacts',
    'customers',
  ],
  ...['Users', 'Resources', 'resources', 'data', 'value', 'results', 'result', 'items', 'records', 'rows'],
  ...[
    'response',
    'list',
    'entries',
    'objects',
    'content',
    'docs',
    'documents',
    'payload',
    'body',
    '_embedded',
  ],
];
/** Names of lists of people that are no part of a person. */
const ofAnswers = new Set([
  'users',
  'Users',
  'people',
  'Resources',
  'data',
  'value',
  'results',
  'result',
  'items',
  'records',
]);
const deepest = 4;
const mostMembers = 1_000;
const noMembers: ReadonlyMap<string, Seen> = new Map();
const [quote, colon, openBrace, openBracket] = [0x22, 0x3a, 0x7b, 0x5b];

/**
 * Returns where a JSON text has its records, by its first bytes. A list of objects comes before an object of objects, and names such as `users`
 * before others.
 * @throws ShapeError when the text begins in another way, or the records begin behind the head
 */
export function jsonShape(head: Buffer): JsonShape {
  const from = skipBlanks(head, 0);
  if (head[from] === openBracket) return { kind: 'items', at: [] };
  if (head[from] !== openBrace) throw new ShapeError('is no JSON: it begins with neither { nor [');
  const root = look(head, from, 0);
  const next = root.end === undefined ? undefined : skipBlanks(head, root.end);
  const isFollowed = next !== undefined && next < head.length;
  if (isFollowed && head[next] === openBrace) {
    const isLine =
      head.subarray(from, root.end).indexOf(0x0a) < 0 && head.subarray(root.end, next).includes(0x0a);
    return { kind: isLine ? 'lines' : 'sequence', at: [] };
  }
  const at = recordsWithin(root);
  if (at !== undefined) return { kind: 'items', at };
  if (root.end === undefined)
    throw new ShapeError('begins without people. --at names their place, such as --at data.users');
  return { kind: 'sequence', at: [] };
}

/** The way to the records in an object. Undefined if the object is a record itself. */
function recordsWithin(seen: Seen, depth = 0): readonly string[] | undefined {
  const members = [...seen.members];
  const lists = members.filter(([, one]) => one.kind === 'list' && one.hasObjects);
  const [list] = lists.sort(([a, one], [b, other]) => rankOf(a) - rankOf(b) || other.length - one.length);
  // An answer may have a name or an identifier beside its list.
  if (list !== undefined && ofAnswers.has(list[0])) return [list[0]];
  if (depth === deepest || members.some(([name, { kind }]) => kind === 'scalar' && isOfPerson(name)))
    return undefined;
  if (list !== undefined) return [list[0]];
  const objects = members.filter(([, { kind }]) => kind === 'object');
  const [known] = objects
    .filter(([name]) => containers.includes(name))
    .sort(([a], [b]) => rankOf(a) - rankOf(b));
  if (known !== undefined) {
    const inner = recordsWithin(known[1], depth + 1);
    if (inner !== undefined) return [known[0], ...inner];
  }
  return objects.length > 0 && objects.length === members.length ? [] : undefined;
}

/** Whether a member with this name says who a person is. */
function isOfPerson(name: string): boolean {
  return /^(?:_?id|uuid|user_?id|sub|login|user_?name|e?mail|email_?address)$/i.test(name);
}

function rankOf(name: string): number {
  const rank = containers.indexOf(name);
  return rank < 0 ? containers.length : rank;
}

function look(head: Buffer, from: number, depth: number): Seen {
  const first = head[from] ?? 0;
  const end = endOf(head, from);
  const length = (end ?? head.length) - from;
  if (first === openBracket) {
    const hasObjects = head[skipBlanks(head, from + 1)] === openBrace;
    return { kind: 'list', members: noMembers, end, length, hasObjects };
  }
  if (first !== openBrace) return { kind: 'scalar', members: noMembers, end, length, hasObjects: false };
  const members = depth === deepest ? noMembers : membersOf(head, from + 1, depth);
  return { kind: 'object', members, end, length, hasObjects: false };
}

function membersOf(head: Buffer, from: number, depth: number): Map<string, Seen> {
  const members = new Map<string, Seen>();
  let at = skipBlanks(head, from);
  while (head[at] === quote && members.size < mostMembers) {
    const end = endOf(head, at);
    const after = end === undefined ? undefined : skipBlanks(head, end);
    if (end === undefined || after === undefined || head[after] !== colon) break;
    const value = skipBlanks(head, after + 1);
    if (value >= head.length) break;
    const seen = look(head, value, depth + 1);
    members.set(nameOf(head.toString('utf8', at, end)), seen);
    if (seen.end === undefined) break;
    at = skipBlanks(head, seen.end);
  }
  return members;
}

function nameOf(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Looks are not nested, so that one scanner is enough. */
const scanner = new ValueScanner();

function endOf(head: Buffer, from: number): number | undefined {
  scanner.begin(head[from] ?? 0);
  const end = scanner.scan(head, from);
  // A bracket that does not match ends the look too. The scan of the file tells it.
  return end < 0 ? undefined : end;
}

/** The place of the next byte that is neither a blank nor a comma. */
function skipBlanks(head: Buffer, from: number): number {
  let at = from;
  while (at < head.length && ((head[at] ?? 0) <= 0x20 || head[at] === 0x2c)) at++;
  return at;
}
