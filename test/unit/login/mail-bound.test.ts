import t from 'tap';
import { mailBoundOf } from '#src/login/mail/mail-bound.js';

t.test('what anybody can ask for uses up nothing of what needs a password', async (t) => {
  const now = new Date('2026-05-05T12:00:00Z');
  const user = { orgId: 'acme', created: new Date('2026-01-01T00:00:00Z') };
  const names = (['notice', 'proof', 'code', 'link'] as const).flatMap((kind) => [
    mailBoundOf(kind, user, now),
    mailBoundOf(kind, { ...user, created: now }, now),
  ]);
  t.equal(new Set(names).size, 8);
  t.ok(names.every((name) => name.endsWith('org:acme')));
});
