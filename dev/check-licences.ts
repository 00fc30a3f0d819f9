import { readFileSync } from 'node:fs';

/** Licences that permit shipping and running the service on the sole condition that their notices are kept. */
const accepted = new Set([
  '0BSD',
  // The same licence, as htmx.org names it.
  'BSD-0-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
]);

/**
 * The library of pictures, beside `sharp`. Its licence lets a program use it under any terms as long as people can replace it. It is a
 * shared library in a package of its own, so they can.
 */
const replaceable = /^node_modules\/@img\/sharp-[\w-]+$/;
const ofReplaceable = new Set(['LGPL-3.0-or-later']);

interface LockedPackage {
  readonly dev?: boolean;
  readonly license?: string;
}

/** Every shipped package whose licence is missing or not accepted. Development packages are not shipped. */
function violations(): string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .filter(([path, { license }]) => license === undefined || !satisfied(license, replaceable.test(path)))
    .map(([path, { license }]) => `${path}: licence ${license ?? 'unknown'} is not accepted`);
}

/** `A OR B` gives a choice, `A AND B` requires both (SPDX 2.3, annex D). */
function satisfied(expression: string, isReplaceable: boolean): boolean {
  const choices = expression.replace(/[()]/g, '').split(' OR ');
  const isAccepted = (name: string) => accepted.has(name) || (isReplaceable && ofReplaceable.has(name));
  return choices.some((choice) => choice.split(' AND ').every((name) => isAccepted(name.trim())));
}

const found = violations();
for (const line of found) console.error(line);
if (found.length > 0) process.exit(1);
