import t from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import { newUser, patchOp, type ScimClient } from '../../support/scim/scim-client.js';
import { namesOfCommands } from '../../support/stores/mongo-commands.js';

/** Simultaneous changes of users of one organization share their commands to MongoDB, also the checks of the caller. */

const { tenant } = await openScim(t, { workers: true });

const people = 16;

const changes: Record<string, (scim: ScimClient, id: string) => Promise<{ status: number }>> = {
  PATCH: (scim, id) => scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'title', value: 'T' })),
  deactivation: (scim, id) =>
    scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'active', value: false })),
  PUT: (scim, id) => scim.put(`/Users/${id}`, newUser({ title: 'U' })),
};

for (const role of ['ORG_OWNER', 'ORG_USER_MANAGER'] as const) {
  t.test(`changes by a client with the role ${role}`, async (t) => {
    const scim = await tenant({ role });
    for (const [name, change] of Object.entries(changes)) {
      const made = await Promise.all(Array.from({ length: people }, () => scim.post('/Users', newUser())));
      const ids = made.map(({ body }) => body.id as string);
      const commands = await namesOfCommands(async () => {
        const answers = await Promise.all(ids.map((id) => change(scim, id)));
        t.ok(answers.every(({ status }) => status < 300));
      });
      // Those of processes that run beside do not count.
      const ofUsers = commands.filter((one) =>
        / (users|memberships|projectMembers|events|refreshFamilies|revocations)$/.test(one),
      );
      t.ok(ofUsers.length <= people, `${name}: ${ofUsers.join(', ')}`);
    }
  });
}

t.test('deletions', async (t) => {
  const scim = await tenant({ role: 'ORG_OWNER' });
  const made = await Promise.all(Array.from({ length: people }, () => scim.post('/Users', newUser())));
  const commands = await namesOfCommands(async () => {
    const answers = await Promise.all(made.map(({ body }) => scim.delete(`/Users/${body.id}`)));
    t.ok(answers.every(({ status }) => status === 204));
  });
  // Alone, each would take 16.
  t.ok(commands.length <= 3 * people, `${commands.length}: ${commands.join(', ')}`);
});
