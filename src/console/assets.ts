import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { stylesheet } from './stylesheet.js';

/** The path changes with the content, so that browsers may cache it for ever. */
export const stylesheetPath = `/console/assets/${hash('sha256', stylesheet, 'hex').slice(0, 16)}.css`;

/** The script of all pages: htmx, as its package has it. The path changes with its version. */
export const scriptPath = '/console/assets/htmx-4.0.1.js';

let script: Promise<string> | undefined;

/** The text of the script. It is read when the first browser asks for it. */
export function readScript(): Promise<string> {
  script ??= readFile(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'), 'utf8');
  return script;
}
