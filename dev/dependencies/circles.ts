import type { Source } from './sources.js';

/** Circles of files that import each other, including type imports. One line per circle. */
export function circleViolations(sources: readonly Source[]): string[] {
  const imports = new Map<string, readonly string[]>(
    sources.map(({ path, imports: found }) => [path.replace(/\.ts$/, ''), found.map(({ module }) => module)]),
  );
  return circlesIn(imports).map((circle) => `${circle.sort().join(', ')} import each other`);
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
