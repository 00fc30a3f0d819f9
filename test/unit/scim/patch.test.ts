import t, { type Test } from 'tap';
import type { User, UserProfileInput } from '#src/directory/user.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { applyPatchToUser } from '#src/scim/patch/apply-patch-to-user.js';
import { parsePatch } from '#src/scim/patch/parse-patch.js';
import { renderUser } from '#src/scim/resources/render-user.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { growthByFour } from '../../support/processor-time.js';
import { type PatchExchange, patchExchanges, patchOp } from './patch-exchanges.js';
import { outcome } from './support/outcome.js';
import { userOf } from './support/users.js';

/** The user before, and the resource and the password that the operations lead to. */
function run({ start, request }: PatchExchange) {
  const user = userOf(start as Partial<UserProfileInput>, 'user-1');
  const body = Array.isArray(request) ? { schemas: [patchOp], Operations: request } : request;
  // The operations arrive as JSON: they have neither undefined nor shared parts.
  const patched = applyPatchToUser(
    user,
    parsePatch(JSON.parse(JSON.stringify(body)), userSchema),
    userSchema,
  );
  const after: User = {
    ...normalizeProfile(patched.profile),
    id: user.id,
    orgId: user.orgId,
    version: user.version,
    created: user.created,
    lastModified: user.lastModified,
  };
  return {
    before: renderUser(user, { baseUrl: 'https://example.com', userSchema }),
    after: renderUser(after, { baseUrl: 'https://example.com', userSchema }),
    password: patched.passwordRemoved === true ? null : patched.password,
  };
}

for (const exchange of patchExchanges) {
  t.test(exchange.name, async (t) => {
    const result = outcome(() => run(exchange));
    if (exchange.error !== undefined)
      return t.equal(typeof result === 'string' ? result : 'success', exchange.error);
    if (typeof result === 'string') return t.fail(`answered ${result}`);
    for (const [name, value] of Object.entries(exchange.after ?? {}))
      t.strictSame(result.after[name], value, name);
    t.equal(result.password, exchange.password, 'password');
    t.notOk('password' in result.after, 'a password is never returned');
    return untouchedAttributesStay(t, exchange, result);
  });
}

/** Attributes that no operation names must not change. */
function untouchedAttributesStay(t: Test, exchange: PatchExchange, result: ReturnType<typeof run>): void {
  const spoken = new Set([...Object.keys(exchange.after ?? {}), 'name', 'displayName']);
  for (const [name, value] of Object.entries(result.before)) {
    if (!spoken.has(name)) t.strictSame(result.after[name], value, `${name} stays`);
  }
}

t.test('a failing operation leaves nothing behind', async (t) => {
  const user = userOf({ title: 'Before' });
  const copy = structuredClone(user);
  const operations = parsePatch(
    {
      schemas: [patchOp],
      Operations: [
        { op: 'replace', path: 'title', value: 'After' },
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'after@example.com' },
        { op: 'replace', path: 'emails[value sw "nobody"].value', value: 'x@example.com' },
      ],
    },
    userSchema,
  );
  t.equal(
    outcome(() => applyPatchToUser(user, operations, userSchema)),
    'noTarget',
  );
  t.strictSame(user, copy);
});

t.test('the same operations may be applied again to another user', async (t) => {
  const operations = parsePatch(
    {
      schemas: [patchOp],
      Operations: [{ op: 'add', path: 'emails', value: [{ value: 'b@example.com', primary: true }] }],
    },
    userSchema,
  );
  const first = applyPatchToUser(userOf(), operations, userSchema);
  const second = applyPatchToUser(userOf(), operations, userSchema);
  t.strictSame(first, second);
  t.not(first.profile.emails?.[1], second.profile.emails?.[1], 'nothing is shared');
});

t.test('a comparison with an absent part is work too', async (t) => {
  const roles = Array.from({ length: 200 }, (_, index) => ({ value: `role-${index}` }));
  const user = userOf({ roles } as Partial<UserProfileInput>);
  const path = `roles[${Array(3).fill('display eq ""').join(' or ')}]`;
  const patch = (count: number) => {
    const Operations = Array(count).fill({ op: 'remove', path });
    return outcome(() =>
      applyPatchToUser(user, parsePatch({ schemas: [patchOp], Operations }, userSchema), userSchema),
    );
  };
  t.equal(patch(1000), 'tooMany');
  t.not(patch(100), 'tooMany');
});

t.test('the work for a request grows with its size', async (t) => {
  const patched = (count: { operations: number; values: number }) => {
    const value = Array.from({ length: count.values }, (_, index) => ({ value: `role-${index}` }));
    const operations = Array.from({ length: count.operations }, () => ({ op: 'add', path: 'roles', value }));
    return applyPatchToUser(
      userOf(),
      parsePatch({ schemas: [patchOp], Operations: operations }, userSchema),
      userSchema,
    );
  };
  t.equal(patched({ operations: 60, values: 150 }).profile.roles?.length, 150);
  const byOperations = growthByFour(25, (operations) => void patched({ operations, values: 10 }));
  t.ok(byOperations < 8, `${byOperations} times for four times as many operations`);
  const byValues = growthByFour(40, (values) => void patched({ operations: 10, values }));
  t.ok(byValues < 8, `${byValues} times for four times as many values`);
});

t.test('each value is folded once for a request', async (t) => {
  const values = Array.from({ length: 10 }, (_, n) => ({ value: `role-${n}`, display: `Shown ${n}` }));
  const Operations = Array.from({ length: 10 }, (_, n) => ({
    op: 'remove',
    path: `roles[value co "None ${n}" or display eq "NONE ${n}" or display co "Absent"]`,
  }));
  const user = userOf({ roles: values });
  const { toLowerCase } = String.prototype;
  const calls = t.capture(String.prototype, 'toLowerCase', toLowerCase);
  applyPatchToUser(user, parsePatch({ schemas: [patchOp], Operations }, userSchema), userSchema);
  const folded = calls().map(({ receiver }) => `${receiver}`);
  const times = values
    .flatMap(({ value, display }) => [value, display])
    .map((text) => folded.filter((one) => one === text).length);
  t.same(new Set(times), new Set([1]));
});

t.test('an error of a limit names the limit', async (t) => {
  const remove = { op: 'remove', path: 'title' };
  const apply = (Operations: unknown[]) => () =>
    applyPatchToUser(userOf(), parsePatch({ schemas: [patchOp], Operations }, userSchema), userSchema);
  const value = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`a${n}`, 'x']));
  t.throws(apply(Array(1001).fill(remove)), { message: /at most 1000 operations/ });
  t.throws(apply([{ op: 'add', value }]), { message: /at most 1000 operations/ });
  const path = `emails[value eq "${'x'.repeat(900)}"]`;
  t.throws(apply(Array(100).fill({ op: 'remove', path })), { message: /more than 80000 characters/ });
  const roles = Array.from({ length: 200 }, (_, n) => ({ value: `r${n}` }));
  t.throws(apply(Array(500).fill({ op: 'add', path: 'roles', value: roles })), { message: /250000 steps/ });
});
