import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StartError } from '#src/platform/start-failure.js';
import { createTextWriter } from './text-writer.js';

/** Where an import body goes and what it says around its users. */
export interface BodyOptions {
  readonly path: string;
  readonly orgId: string;
  /** How long the import may take, such as `30m`. */
  readonly timeout: string;
  /** One user a line instead of everything on one line. */
  readonly multiline: boolean;
}

/** An import body that is being written: under another name until it is complete. */
export interface ImportBody {
  /** A folder beside the output for what has to wait, gone at the end. Only its owner may read it. */
  readonly folder: string;
  /** @param user an element of `humanUsers` as JSON without line feeds */
  add(user: string): void;
  /** Puts it in its place, complete. */
  publish(): void;
  /** Leaves nothing behind but what was published. */
  close(): void;
}

/**
 * @param inputs files that the output must not replace
 * @throws StartError when it would, also under another name or by a link, and when there is no writing beside the output
 */
export function openImportBody(options: BodyOptions, inputs: readonly string[]): ImportBody {
  const path = resolve(options.path);
  const replaced = inputs.find((input) => isSameFile(input, path));
  if (replaced !== undefined)
    throw new StartError(`${options.path} is an input, ${replaced}: it would be lost`);
  const folder = makeFolder(path);
  const unfinished = join(folder, 'body');
  const writer = createTextWriter(unfinished);
  const { head, separator, tail } = aroundUsers(options);
  let users = 0;

  writer.write(head);
  return {
    folder,
    add(user) {
      writer.write(users++ === 0 ? user : separator + user);
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

/** Whether both can be seen and are one file, under whatever names. */
function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    // What cannot be read is told by who reads it.
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

/** A rename lasts when the folder that holds the name is on the disk. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** What stands before, between and after the users. */
function aroundUsers({ orgId, timeout, multiline }: BodyOptions): {
  head: string;
  separator: string;
  tail: string;
} {
  const mark = 'users';
  const body = { timeout, dataOrgs: { orgs: [{ orgId, humanUsers: [mark] }] } };
  const text = JSON.stringify(body, undefined, multiline ? 2 : 0);
  const at = text.lastIndexOf(`"${mark}"`);
  const indent = multiline ? `\n${' '.repeat(10)}` : '';
  return {
    head: text.slice(0, at),
    separator: `,${indent}`,
    tail: `${text.slice(at + mark.length + 2)}\n`,
  };
}
