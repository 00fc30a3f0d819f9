/** An advisory about a package that is shipped, or was. */
interface KnownAdvisory {
  readonly id: string;
  readonly name: string;
  /** Ranges of vulnerable versions: from the first one, below the second one. */
  readonly ranges: readonly (readonly [from: string, below: string])[];
}

/** The packages of `package-lock.json`, by their folder. */
export interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

/**
 * Advisories that a lock file is compared with when no registry answers. It has those about packages that this project ships. It is no
 * substitute for the registry, which knows the newest ones.
 */
export const knownAdvisories: readonly KnownAdvisory[] = [
  { id: 'GHSA-w5hq-g745-h8pq', name: 'uuid', ranges: [['0.0.0', '11.1.1']] },
  { id: 'GHSA-pxg6-pf52-xh8x', name: 'cookie', ranges: [['0.0.0', '0.7.0']] },
  { id: 'GHSA-mpg4-rc92-vx8v', name: 'fast-xml-parser', ranges: [['0.0.0', '4.4.1']] },
  { id: 'GHSA-mg2h-6x62-wpwc', name: 'fastify', ranges: [['5.0.0', '5.3.2']] },
  { id: 'GHSA-c2qf-rxjj-qqgw', name: 'semver', ranges: [['7.0.0', '7.5.2']] },
  {
    id: 'GHSA-fjxv-7rqg-78g4',
    name: 'form-data',
    ranges: [
      ['0.0.0', '2.5.4'],
      ['3.0.0', '3.0.4'],
      ['4.0.0', '4.0.4'],
    ],
  },
  {
    id: 'GHSA-rrr8-f88r-h8q6',
    name: 'find-my-way',
    ranges: [
      ['5.5.0', '8.2.2'],
      ['9.0.0', '9.0.1'],
    ],
  },
  { id: 'GHSA-r683-j2x4-v87g', name: 'node-fetch', ranges: [['0.0.0', '2.6.7']] },
  { id: 'GHSA-mm7p-fcc7-pg87', name: 'nodemailer', ranges: [['0.0.0', '7.0.7']] },
];

/** The shipped packages of a lock file that a known advisory is about. One line per package and advisory. */
export function knownVulnerable({ packages }: Lock, advisories = knownAdvisories): string[] {
  return Object.entries(packages).flatMap(([folder, { version, dev = false }]) => {
    const name = folder.split('node_modules/').at(-1) ?? '';
    if (folder === '' || dev || version === undefined) return [];
    return advisories
      .filter((advisory) => advisory.name === name && advisory.ranges.some((range) => isIn(version, range)))
      .map(({ id }) => `${folder} ${version}: ${id} (https://github.com/advisories/${id})`);
  });
}

function isIn(version: string, [from, below]: readonly [string, string]): boolean {
  return order(version, from) >= 0 && order(version, below) < 0;
}

/** Orders versions of three numbers. A prerelease counts as its release. */
function order(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const index = left.findIndex((number, at) => number !== right[at]);
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split('-', 1).join('').split('.').map(Number);
}
