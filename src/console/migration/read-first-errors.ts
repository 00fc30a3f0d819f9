import { createInterface } from 'node:readline';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';

export interface FirstErrors {
  readonly errors: readonly {
    readonly type: string;
    readonly id: string;
    readonly message: string;
    /** What the record says of itself, such as its `userName`. */
    readonly identifiers: Readonly<Partial<Record<string, string>>>;
  }[];
  readonly hasMore: boolean;
}

/** Errors that a page shows. The file has all of them. */
const shown = 100;
/** Longest text of an error that a page shows, in characters. */
const maxText = 300;

/** Something that a verification found to differ. */
export interface FirstDifferences {
  readonly differences: readonly {
    readonly kind: 'missing' | 'different' | 'refused' | 'extra';
    /** The list of the record, such as `group`. */
    readonly type: string;
    /** The list of an object that the file does not have, such as `humanUsers`. */
    readonly list: string;
    /** What the record says of itself, or its identifier. */
    readonly who: string;
    /** The attributes that differ. */
    readonly attributes: readonly string[];
    readonly message: string;
  }[];
  readonly hasMore: boolean;
}

/** The first errors of a job. What follows is not read. */
export async function readFirstErrors(
  visit: Pick<ConsoleVisit, 'api'>,
  { id }: { readonly id: string },
): Promise<FirstErrors> {
  const { items: errors, hasMore } = await readFirst(visit, `/admin/v1/jobs/${segmentOf(id)}/errors`, read);
  return { errors, hasMore };
}

/** The first differences that a verification found. What follows is not read. */
export async function readFirstDifferences(
  visit: Pick<ConsoleVisit, 'api'>,
  { id }: { readonly id: string },
): Promise<FirstDifferences> {
  const path = `/admin/v1/jobs/${segmentOf(id)}/differences`;
  const { items: differences, hasMore } = await readFirst(visit, path, readDifference);
  return { differences, hasMore };
}

async function readFirst<T>(
  { api }: Pick<ConsoleVisit, 'api'>,
  path: string,
  readLine: (line: string) => T,
): Promise<{ items: T[]; hasMore: boolean }> {
  const { body } = await api.open(path);
  const items: T[] = [];
  try {
    for await (const line of createInterface({ input: body })) {
      if (items.length === shown) return { items, hasMore: true };
      items.push(readLine(line));
    }
  } finally {
    body.destroy();
  }
  return { items, hasMore: false };
}

const kinds = ['missing', 'different', 'refused', 'extra'] as const;
/** The most attributes that a page names of one record. */
const mostAttributes = 20;

function readDifference(line: string): FirstDifferences['differences'][number] {
  const { kind, list } = JSON.parse(line) as Record<string, unknown>;
  const { type, id, message, identifiers } = read(line);
  const { userName, email, displayName, name } = identifiers;
  const [, attributes = ''] = /differs in (.+)$/s.exec(message) ?? [];
  return {
    kind: kinds.find((one) => one === kind) ?? 'different',
    type,
    list: String(list ?? ''),
    who: userName ?? email ?? displayName ?? name ?? id,
    attributes: attributes
      .split(', ')
      .filter((one) => one !== '')
      .slice(0, mostAttributes),
    message,
  };
}

function read(line: string) {
  const { type, id, message, identifiers } = JSON.parse(line) as Record<string, unknown>;
  const text = (value: unknown) => String(value ?? '').slice(0, maxText);
  return { type: text(type), id: text(id), message: text(message), identifiers: textsOf(identifiers, text) };
}

function textsOf(value: unknown, text: (value: unknown) => string): Record<string, string> {
  const found = Object.entries((value ?? {}) as object).filter(([, one]) => typeof one === 'string');
  return Object.fromEntries(found.map(([name, one]) => [name, text(one)]));
}
