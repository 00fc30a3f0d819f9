import { dirname } from 'node:path';
import type { Source } from './sources.js';

/** Circles of files that import each other, including type imports. One line per circle. */
export function circleViolations(sources: readonly Source[]): string[] {
  const imports = new Map<string, readonly string[]>(
    sources.map(({ path, imports: found }) => [path.replace(/\.ts$/, ''), found.map(({ module }) => module)]),
  );
  return circlesIn(imports).map((circle) => `${circle.sort().join(', ')} import each other`);
}

/**
 * Circles of folders of `src`: a file of each imports one of another, including type imports. A file directly in `src` counts as a folder.
 * One line per circle.
 */
export function folderCircleViolations(sources: readonly Source[]): string[] {
  const seen = sources.filter(({ path }) => path.startsWith('src/'));
  const paths = new Set(seen.map(({ path }) => path.replace(/\.ts$/, '')));
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of seen) {
    const from = folderOf(path.replace(/\.ts$/, ''));
    const others = imports.flatMap(({ module }) => (paths.has(module) ? folderOf(module) : []));
    const known = edges.get(from) ?? new Set();
    for (const other of others) if (other !== from) known.add(other);
    edges.set(from, known);
  }
  const circles = circlesIn(new Map([...edges].map(([folder, others]) => [folder, [...others]])));
  return circles.map((circle) => `the folders ${circle.sort().join(', ')} import each other`);
}

function folderOf(module: string): string {
  const folder = dirname(module);
  return folder === 'src' ? module : folder;
}

/** The strongly connected components that have several nodes (Tarjan's algorithm). */
function circlesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];

  function visit(node: string): number {
    const number = numbers.size;
    numbers.set(node, number);
    lowest.set(node, number);
    open.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue;
      if (!numbers.has(next)) lower(node, visit(next));
      else if (open.includes(next)) lower(node, numbers.get(next) ?? number);
    }
    const low = lowest.get(node) ?? number;
    if (low === number) {
      const component = open.splice(open.indexOf(node));
      if (component.length > 1) circles.push(component);
    }
    return low;
  }

  function lower(node: string, to: number): void {
    lowest.set(node, Math.min(lowest.get(node) ?? to, to));
  }

  for (const node of edges.keys()) if (!numbers.has(node)) visit(node);
  return circles;
}
