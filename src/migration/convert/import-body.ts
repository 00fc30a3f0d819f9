import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StartError } from '#src/platform/start-error.js';
import { createTextWriter } from './text-writer.js';

/** The lists that a conversion writes. */
export type BodyList = 'humanUsers' | 'groups' | 'groupMembers';

/** Where an import body is written, and its properties beside the lists. */
export interface BodyOptions {
  readonly path: string;
  readonly orgId: string;
  /** How long the import may take, such as `30m`. */
  readonly timeout: string;
  /** Writes one record on each line, instead of everything on one line. */
  readonly multiline: boolean;
}

/** An import body that is being written. It has another name until it is complete. */
export interface ImportBody {
  /** A folder beside the output for temporary files. Only its owner may read it. {@link close} removes it. */
  readonly folder: string;
  /**
   * Adds a record to a list. The users come first. Then the records of one list come after those of another.
   * @param record JSON without line feeds
   */
  add(record: string, list?: BodyList): void;
  /** Completes the body and moves it to its path. */
  publish(): void;
  /** Removes everything that was not published. */
  close(): void;
}

/**
 * Begins an import body.
 * @param inputs files that the output must not replace
 * @throws StartError when the output is one of them, also by a link, or when its folder cannot be written
 */
export function openImportBody(options: BodyOptions, inputs: readonly string[]): ImportBody {
  const path = resolve(options.path);
  const replaced = inputs.find((input) => isSameFile(input, path));
  if (replaced !== undefined)
    throw new StartError(`${options.path} is an input, ${replaced}: it would be lost`);
  const folder = makeFolder(path);
  const unfinished = join(folder, 'body');
  const writer = createTextWriter(unfinished);
  const { head, separator, between, tail } = aroundRecords(options);
  let current: BodyList = 'humanUsers';
  let records = 0;

  writer.write(head);
  return {
    folder,
    add(record, list = 'humanUsers') {
      if (list !== current) {
        writer.write(between(list));
        current = list;
        records = 0;
      }
      writer.write(records++ === 0 ? record : separator + record);
    },
    publish() {
      writer.write(tail);
      writer.finish();
      renameSync(unfinished, path);
      syncFolder(dirname(path));
    },
    close() {
      writer.abandon();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether both paths lead to one file. */
export function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    // The code that reads the input reports that it cannot be read.
    return false;
  }
}

function makeFolder(path: string): string {
  const name = `.${basename(path)}.${randomBytes(4).toString('hex')}-`;
  try {
    return mkdtempSync(join(dirname(path), name));
  } catch (error) {
    throw new StartError(`${path} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}

/** Writes a folder to the disk, so that a rename in it survives a crash of the machine. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The text before, between and after the records, and between two lists. */
function aroundRecords({ orgId, timeout, multiline }: BodyOptions): {
  head: string;
  separator: string;
  between: (list: BodyList) => string;
  tail: string;
} {
  const mark = 'users';
  const body = { timeout, dataOrgs: { orgs: [{ orgId, humanUsers: [mark] }] } };
  const text = JSON.stringify(body, undefined, multiline ? 2 : 0);
  const at = text.lastIndexOf(`"${mark}"`);
  const line = (spaces: number) => (multiline ? `\n${' '.repeat(spaces)}` : '');
  return {
    head: text.slice(0, at),
    separator: `,${line(10)}`,
    between: (list) => `${line(8)}],${line(8)}"${list}":${multiline ? ' ' : ''}[${line(10)}`,
    tail: `${text.slice(at + mark.length + 2)}\n`,
  };
}
