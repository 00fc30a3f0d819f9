import { addMembership } from '#src/access/memberships/add-membership.js';
import { buildApp } from '#src/app.js';
import { addPersonalAccessToken } from '#src/clients/service-users/add-personal-access-token.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { organizationOf } from './load-users.js';
import { digits } from './people.js';
import { editor, openSetting } from './setting.js';

/**
 * Measures the list in which administrators search users, in one organization, without other load:
 * `node --import=tsx --conditions=muster-source bench/user-lists.ts 200000 200`. It prints milliseconds per request.
 */
const [size = 200_000, times = 200] = process.argv.slice(2).map(Number);
const setting = await openSetting();
try {
  const { container } = setting;
  const { id: orgId } = await organizationOf(container, size);
  const viewer = await addServiceUser(container, { orgId, userName: 'viewer', editor });
  await addMembership(container, { userId: viewer.id, role: 'ORG_USER_VIEWER', orgId, editor });
  const { token } = await addPersonalAccessToken(container, { orgId, userId: viewer.id, editor });
  const app = await buildApp(container);

  async function page(query: Record<string, string>) {
    const began = performance.now();
    const answer = await app.inject({
      method: 'GET',
      url: `/admin/v1/orgs/${orgId}/users?${new URLSearchParams({ limit: '50', ...query })}`,
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.statusCode !== 200) throw new Error(answer.payload);
    return { took: performance.now() - began, body: answer.json() };
  }

  const some = (n: number) => digits((n * 7919) % size).forward;
  const searches: [name: string, query: (n: number) => Record<string, string>][] = [
    ['the first page', () => ({})],
    ['inactive users', () => ({ active: 'false' })],
    ['active users', () => ({ active: 'true' })],
    ['one letter of every userName', () => ({ search: 'p' })],
    ['the beginning of a userName', (n) => ({ search: `p${some(n).slice(0, 5)}` })],
    ['a given name of a tenth', () => ({ search: 'Ada' })],
    ['the beginning of a family name', (n) => ({ search: `Berg`.slice(0, 1 + (n % 4)) })],
    ['a whole name', (n) => ({ search: `Ada Almeida-${n % 977}` })],
    ['an address', (n) => ({ search: `p${some(n)}@` })],
    ['nobody', (n) => ({ search: `nobody ${n}` })],
    ['inactive users of a given name', () => ({ search: 'Ada', active: 'false' })],
  ];
  for (const [name, queryOf] of searches) {
    for (let n = 0; n < 10; n++) await page(queryOf(n));
    const took: number[] = [];
    let found = 0;
    for (let n = 0; n < times; n++) {
      const answer = await page(queryOf(n));
      took.push(answer.took);
      found += answer.body.items.length;
    }
    took.sort((a, b) => a - b);
    const at = (part: number) => (took[Math.floor(part * took.length)] ?? 0).toFixed(1);
    console.log(`${name}: p50 ${at(0.5)}, p95 ${at(0.95)}, ${(found / times).toFixed(0)} users`);
  }
  let after = '';
  const deep: number[] = [];
  for (let n = 0; n < times; n++) {
    const answer = await page({ search: 'Ada', ...(after !== '' && { after }) });
    deep.push(answer.took);
    after = answer.body.next ?? '';
  }
  deep.sort((a, b) => a - b);
  console.log(`${times} pages one after the other: p95 ${(deep[Math.floor(0.95 * times)] ?? 0).toFixed(1)}`);
  await app.close();
} finally {
  await setting.close();
}
