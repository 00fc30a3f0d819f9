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

/** The first errors of a job. What follows is not read. */
export async function readFirstErrors(
  { api }: Pick<ConsoleVisit, 'api'>,
  { id }: { readonly id: string },
): Promise<FirstErrors> {
  const { body } = await api.open(`/admin/v1/jobs/${segmentOf(id)}/errors`);
  const errors: FirstErrors['errors'][number][] = [];
  try {
    for await (const line of createInterface({ input: body })) {
      if (errors.length === shown) return { errors, hasMore: true };
      errors.push(read(line));
    }
  } finally {
    body.destroy();
  }
  return { errors, hasMore: false };
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
