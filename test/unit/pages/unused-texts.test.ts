import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

/** A text that no page shows is translated into five languages for nobody. */

/** The files that have texts, and nothing else. */
const isOfTexts = (path: string) => /\/texts\/|(^|[/-])texts\.ts$/.test(path);
const sources = (readdirSync('src', { recursive: true }) as string[])
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The identifiers of the texts of a file, such as `saveRoles`. */
const identifiersIn = (text: string) =>
  new Set([...text.matchAll(/^\s+(?:readonly )?'?(\w+)'?\??[:(]/gm)].map(([, name = '']) => name));

/** @param code all code that shows texts */
function isUsed(name: string, code: string): boolean {
  if (new RegExp(`\\b${name}\\b`).test(code)) return true;
  // Code also makes identifiers: `type_${kind}`, and `${setting}Hint`.
  const [group] = name.split('_');
  if (name.includes('_') && code.includes(`\`${group}_\${`)) return true;
  return ['Hint', 'Absent', 'On', 'Off'].some((end) => name.endsWith(end) && code.includes(`}${end}\``));
}

const code = sources
  .filter(({ path }) => !isOfTexts(path))
  .map(({ text }) => text)
  .join('\n');

t.test('every text is shown by some page', async (t) => {
  const files = sources.filter(
    ({ path }) => isOfTexts(path) && /\/(en|texts|error-texts|mail-texts)\.ts$/.test(path),
  );
  t.ok(files.length > 12, 'the files are found');
  const unused = files.flatMap(({ path, text }) =>
    [...identifiersIn(text)].filter((name) => !isUsed(name, code)).map((name) => `${path} ${name}`),
  );
  t.strictSame(unused, []);
});

t.test('an unused text is found', async (t) => {
  const names = [
    ...identifiersIn("  readonly saveRoles: string;\n  readonly job_failed: string;\n  nobody: 'x',\n"),
  ];
  t.strictSame(names, ['saveRoles', 'job_failed', 'nobody']);
  const shown = ['texts.saveRoles; texts[`job_', 'state}`]'].join('${');
  t.strictSame(
    names.filter((name) => !isUsed(name, shown)),
    ['nobody'],
  );
});
