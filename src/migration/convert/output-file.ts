import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StartError } from '#src/platform/start-error.js';
import { createTextWriter } from './text-writer.js';

/** A file that a conversion writes. It has another name until it is complete. */
export interface OutputFile {
  /** A folder beside the output for temporary files. Only its owner may read it. {@link close} removes it. */
  readonly folder: string;
  write(text: string): void;
  /** Completes the file and moves it to its path. */
  publish(): void;
  /** Removes everything that was not published. */
  close(): void;
}

/**
 * Begins an output.
 * @param inputs files that the output must not replace
 * @throws StartError when the output is one of them, also by a link, or when its folder cannot be written
 */
export function openOutputFile(given: string, inputs: readonly string[]): OutputFile {
  const path = resolve(given);
  const replaced = inputs.find((input) => isSameFile(input, path));
  if (replaced !== undefined) throw new StartError(`${given} is an input, ${replaced}: it would be lost`);
  const folder = makeFolder(path);
  const unfinished = join(folder, 'body');
  const writer = createTextWriter(unfinished);
  return {
    folder,
    write: (text) => writer.write(text),
    publish() {
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
