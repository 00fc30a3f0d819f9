import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findImages, type NamedImage } from './find-images.js';
import { isOwn, readReference, textOf } from './reference.js';
import { digestOf, RegistryFault, type RegistryOptions } from './registry-digest.js';

/**
 * Writes the digest behind the tag of every image that the files below a folder name, if its registry tells it. Images of this
 * project have no digest before they are built. A file keeps all its other text.
 * @returns whether every image has a digest that its registry told
 */
export async function pinImages(
  folder: string,
  { log, ...options }: RegistryOptions & { readonly log: (line: string) => void },
): Promise<boolean> {
  const { images, problems } = findImages(folder);
  for (const problem of problems) log(`not pinned: ${problem}`);
  const pinned = new Map<string, string>();
  let isWhole = problems.length === 0;
  for (const text of new Set(images.map((image) => image.text))) {
    const reference = readReference(text);
    if (reference !== undefined && isOwn(reference)) continue;
    try {
      if (reference?.tag === undefined) throw new RegistryFault('is not asked, because the image has no tag');
      const digest = await digestOf(reference, options);
      pinned.set(text, textOf({ ...reference, digest }));
      log(`${reference.name}:${reference.tag} is ${digest}${isChange(reference.digest, digest)}`);
    } catch (error) {
      if (!(error instanceof RegistryFault)) throw error;
      log(`not pinned: ${text}: its registry ${error.message}`);
      isWhole = false;
    }
  }
  for (const file of new Set(images.map((image) => image.file)))
    write(
      join(folder, file),
      images.filter((image) => image.file === file),
      pinned,
    );
  for (const { file, text, place } of images) {
    if (place !== undefined || !pinned.has(text)) continue;
    log(`not pinned: ${text}: write the digest into ${file} by hand`);
    isWhole = false;
  }
  return isWhole;
}

function isChange(before: string | undefined, digest: string): string {
  return before === undefined || before === digest ? '' : `, and was ${before}`;
}

function write(path: string, images: readonly NamedImage[], pinned: ReadonlyMap<string, string>): void {
  const before = readFileSync(path, 'utf8');
  let after = before;
  // From the end, so that the places before stay.
  for (const { text, place } of [...images].reverse()) {
    const replacement = pinned.get(text);
    if (place === undefined || replacement === undefined) continue;
    after = after.slice(0, place.from) + replacement + after.slice(place.to);
  }
  if (after !== before) writeFileSync(path, after);
}
