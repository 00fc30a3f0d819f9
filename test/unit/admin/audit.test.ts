import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

/** Everything that an administrator changes is recorded with who changed it. */

const folder = join(import.meta.dirname, '../../../src/admin');

/** Operations that ask by POST and change nothing. */
const readOnly = new Set(['searchEvents']);

/** The handlers of the room's routes that change something, by the name of their operation. */
function writes(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('routes.ts'))) {
    const routes = readFileSync(join(folder, file), 'utf8').split(
      /\bapp\.(?=(?:get|post|put|patch|delete)\()/,
    );
    for (const route of routes.slice(1)) {
      if (route.startsWith('get(')) continue;
      const operation = /operationId: '(\w+)'/.exec(route)?.[1];
      found.set(operation ?? `${file}: ${route.slice(0, 60)}`, route);
    }
  }
  return found;
}

t.test('each operation that writes says by whom, which every event needs', (t) => {
  const found = writes();
  t.ok(found.size > 30, `${found.size} operations`);
  for (const [operation, route] of found) {
    if (!readOnly.has(operation))
      t.match(route, /\b(editorOf\(request\)|requestedBy\b|callerOf\(request\)\.userId)/, operation);
  }
  t.end();
});
