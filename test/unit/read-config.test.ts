import { readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { createBytePool } from '#src/http/limits/byte-pool.js';
import { ConfigError, readConfig } from '#src/read-config.js';

const stores = { MONGODB_URL: 'mongodb://127.0.0.1/', REDIS_URL: 'redis://127.0.0.1/' };
const known = `try:${'A'.repeat(43)}`;
const own = `own:${Buffer.alloc(32, 1).toString('base64url')}`;

t.test('the memory for bodies has room for the largest body of one organization', async (t) => {
  const own = { ...stores, MUSTER_MASTER_KEYS: `own:${Buffer.alloc(32, 1).toString('base64url')}` };
  const read = (MUSTER_BODY_MEMORY_MIB: string) =>
    readConfig({ ...own, MUSTER_BODY_MEMORY_MIB }).bodyMemoryMib;
  t.throws(() => read('4'), ConfigError);
  const least = 8;
  t.equal(read(String(least)), least);
  const pool = createBytePool(least * 1_048_576);
  let refused = false;
  pool
    .hold('organization', () => {
      refused = true;
    })
    .grow(1_048_576 + 1_024);
  t.notOk(refused);
});

t.test('the master key that everybody knows is refused, unless this is a trial', async (t) => {
  for (const MUSTER_MASTER_KEYS of [known, `${own},${known}`]) {
    const env = { ...stores, MUSTER_MASTER_KEYS };
    for (const MUSTER_TRY_OUT of [undefined, '', '0']) {
      t.throws(() => readConfig({ ...env, MUSTER_TRY_OUT }), ConfigError);
    }
    t.equal(readConfig({ ...env, MUSTER_TRY_OUT: '1' }).tryOut, 1);
  }
  t.equal(readConfig({ ...stores, MUSTER_MASTER_KEYS: own }).tryOut, 0);
});

/** A value of docker-compose.yml as Compose reads it: `${NAME:-default}` and `${NAME:+alternative}`, which may be nested. */
function interpolated(text: string, given: Readonly<Record<string, string>>): string {
  const innermost = /\$\{(\w+):([-+])([^${}]*)\}/;
  let value = text;
  for (let found = innermost.exec(value); found !== null; found = innermost.exec(value)) {
    const [whole, name = '', sign, word = ''] = found;
    const set = given[name] ?? '';
    value = value.replace(whole, () => (sign === '-' ? set || word : set && word));
  }
  return value;
}

t.test('docker-compose.yml starts the service only with a key of its own, or as a trial', async (t) => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
  for (const name of ['init', 'api', 'worker']) {
    const { environment } = services[name] as { environment: Record<string, string> };
    const read = (given: Record<string, string>) => {
      const values = Object.entries(environment).map(([key, value]) => [key, interpolated(value, given)]);
      return readConfig(Object.fromEntries(values));
    };
    t.throws(() => read({}), ConfigError, `${name} without a key`);
    for (const MUSTER_TRY_OUT of ['', '0']) {
      t.throws(() => read({ MUSTER_TRY_OUT }), ConfigError, `${name}: ${MUSTER_TRY_OUT} is no trial`);
      t.throws(() => read({ MUSTER_TRY_OUT, MUSTER_MASTER_KEYS: known }), ConfigError, name);
    }
    t.match(read({ MUSTER_TRY_OUT: '1' }), { tryOut: 1, masterKeys: known }, name);
    t.match(read({ MUSTER_MASTER_KEYS: own }), { tryOut: 0, masterKeys: own }, name);
  }
});

t.test('the largest import is as docs/operations.md tells whoever sizes the oplog', async (t) => {
  const { importMaxBytes } = readConfig({ ...stores, MUSTER_MASTER_KEYS: own });
  t.equal(importMaxBytes, 4 * 2 ** 30);
  t.match(
    readFileSync('docs/operations.md', 'utf8'),
    /oplog\s+larger than `MUSTER_IMPORT_MAX_BYTES` \(4 GiB\)/,
  );
});
