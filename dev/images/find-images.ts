import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, type Pair, parseAllDocuments, visit } from 'yaml';

/** The name of an image in a file. */
export interface NamedImage {
  readonly file: string;
  readonly text: string;
  /** The place of the text in the file. Absent if the file has the name in several parts. */
  readonly place?: { readonly from: number; readonly to: number };
}

export interface FoundImages {
  readonly images: readonly NamedImage[];
  /** Names that cannot be read, one line each. */
  readonly problems: readonly string[];
}

const skippedFolders = new Set(['node_modules', 'dist', '.git', '.muster', '.tap']);
const isDockerfile = (name: string) => /^(?:.*\.)?(?:Dockerfile|Containerfile)(?:\..*)?$/i.test(name);
const isYaml = (name: string) => /\.ya?ml$/i.test(name);

/** The images that the container files, the compose files and the Kubernetes objects below a folder name. */
export function findImages(folder: string): FoundImages {
  const found = filesOf(folder).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return isYaml(file) ? imagesOfYaml(file, text) : imagesOfDockerfile(file, text);
  });
  return {
    images: found.flatMap(({ images }) => images),
    problems: found.flatMap(({ problems }) => problems),
  };
}

function filesOf(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : filesOf(folder, path);
      return entry.isFile() && (isDockerfile(entry.name) || isYaml(entry.name)) ? [path] : [];
    });
}

/** The instructions that name an image. A name of a build stage is skipped. */
const dockerfileForms = [
  /^\s*FROM\s+(?:--\S+\s+)*(?<name>\S+)/gi,
  /\s--from=(?<name>\S+)/g,
  /\s--mount=\S*\bfrom=(?<name>[^\s,]+)/g,
  /^#\s*syntax\s*=\s*(?<name>\S+)/gi,
];

/** The images of a Dockerfile. */
export function imagesOfDockerfile(file: string, text: string): FoundImages {
  const stages = new Set(['scratch']);
  const images: NamedImage[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const found = dockerfileForms.flatMap((pattern) => [...line.matchAll(pattern)]);
    for (const { groups: { name = '' } = {}, 0: whole, index } of found.sort((a, b) => a.index - b.index)) {
      const isStage = stages.has(name.toLowerCase()) || (whole.includes('from=') && /^\d+$/.test(name));
      if (isStage) continue;
      const from = start + index + whole.length - name.length;
      images.push({ file, text: name, place: { from, to: from + name.length } });
    }
    const [, stage] = /^\s*FROM\s.*\sAS\s+(\S+)/i.exec(line) ?? [];
    if (stage !== undefined) stages.add(stage.toLowerCase());
    start += line.length + 1;
  }
  return { images, problems: [] };
}

/** The images of a compose file, of Kubernetes objects, or of a kustomization. */
export function imagesOfYaml(file: string, text: string): FoundImages {
  const images: NamedImage[] = [];
  const problems: string[] = [];
  for (const document of parseAllDocuments(text)) {
    visit(document, {
      Pair(_key, pair) {
        const name = isScalar(pair.key) ? pair.key.value : undefined;
        if (name === 'images') images.push(...replacedImages(file, pair));
        if (name !== 'image') return;
        const { value } = pair;
        if (!isScalar(value) || typeof value.value !== 'string' || !value.range)
          problems.push(`${file}: an image is not named by a text`);
        else images.push({ file, text: value.value, place: innerPlace(text, value.range) });
      },
    });
  }
  return { images, problems };
}

/** The place of a text without its quotes. */
function innerPlace(
  text: string,
  [from, to]: readonly [number, number, number],
): { from: number; to: number } {
  return /["']/.test(text[from] ?? '') ? { from: from + 1, to: to - 1 } : { from, to };
}

/** By what a kustomization replaces images. */
function replacedImages(file: string, { value }: Pair): NamedImage[] {
  if (typeof value !== 'object' || value === null || !('items' in value)) return [];
  return (value.items as unknown[]).filter(isMap).map((item) => {
    const part = (name: string, before: string) => (item.has(name) ? before + String(item.get(name)) : '');
    const name = part('newName', '') || part('name', '');
    return { file, text: name + part('newTag', ':') + part('digest', '@') };
  });
}
