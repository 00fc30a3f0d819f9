import { markdownTable } from './markdown.js';

/** The cost of an operation at one size of an organization. */
export interface Cost {
  /** The operation and the unit, such as `list, p95 in ms`. */
  readonly what: string;
  /** Number of users in the organization, the import or the export. */
  readonly users: number;
  readonly cost: number;
}

const title = '## How cost grows';

/**
 * How each cost grows with the number of users. One line per cost. The last column divides the largest size by the
 * smallest.
 */
export function growthTable(costs: readonly Cost[]): string {
  const sizes = [...new Set(costs.map(({ users }) => users))].sort((a, b) => a - b);
  const names = [...new Set(costs.map(({ what }) => what))];
  const lines = names.map((name) => {
    const at = new Map(costs.filter(({ what }) => what === name).map(({ users, cost }) => [users, cost]));
    const cells = sizes.map((size) => at.get(size)?.toPrecision(3) ?? '');
    const known = sizes.flatMap((size) => at.get(size) ?? []);
    const grown = (known.at(-1) ?? Number.NaN) / (known[0] ?? Number.NaN);
    return [name, ...cells, grown.toFixed(2)];
  });
  const heads = ['users', ...sizes.map((size) => size.toLocaleString('en')), 'largest by smallest'];
  return `${title}\n\n${markdownTable([heads, ...lines])}`;
}

/** The document with newer costs in place of the costs with the same name. The section stays the last one. */
export function withGrowth(text: string, costs: readonly Cost[]): string {
  const [before = '', section = ''] = text.split(`\n${title}\n`);
  const names = new Set(costs.map(({ what }) => what));
  const kept = readCosts(section).filter(({ what }) => !names.has(what));
  const all = [...kept, ...costs];
  if (all.length === 0) return text;
  const notes = section.split('\n').filter((line) => line.startsWith('- '));
  return `${[before.trimEnd(), ...notes].join('\n')}\n\n${growthTable(all)}\n`;
}

function readCosts(section: string): Cost[] {
  const [heads = [], , ...lines] = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return lines.flatMap(([, what = '', ...cells]) =>
    cells.flatMap((cell, column) => {
      const users = Number(heads[column + 2]?.replaceAll(',', ''));
      return cell === '' || Number.isNaN(users) || users === 0 ? [] : [{ what, users, cost: Number(cell) }];
    }),
  );
}
