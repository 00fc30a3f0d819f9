import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { documentAddress } from './document-address.js';

/** Folders with documents. */
const folders = ['.', 'docs', 'docs/guides', 'docs/mappings'];

/** The folder with the documents: that of the repository, or `dist`, where a build puts them. */
function root(): string {
  return dirname(dirname(createRequire(import.meta.url).resolve('#docs/README.md')));
}

let found: Promise<ReadonlyMap<string, string>> | undefined;

/** The files of all documents, by their addresses. They are looked for when somebody first asks. */
export function documentFiles(): Promise<ReadonlyMap<string, string>> {
  found ??= findFiles().catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return found;
}

async function findFiles(): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(join(root(), folder))).map((name) => join(folder, name))),
  );
  return new Map(
    names.flat().flatMap((file) => {
      const address = documentAddress(file);
      return address === undefined || !address.startsWith('/docs/') ? [] : [[address, file]];
    }),
  );
}

/** The text of a document. @param file its path in the repository */
export function readDocument(file: string): Promise<string> {
  return readFile(join(root(), file), 'utf8');
}
