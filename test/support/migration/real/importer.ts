import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { makeCaller, makeOrganization } from '../../app/make.js';
import type { TestApp } from '../../app/test-app.js';
import { visit } from '../../oidc/visitor.js';

/** An organization that is imported, and whose people sign in. */
export interface Importer {
  readonly orgId: string;
  /** Sends the body of a file. Returns the body, the answer, and how many people the organization then has. */
  send(path: string): Promise<{ body: unknown; answer: Answered; people: number }>;
  /** Asserts that each person signs in with the own password, and that the first one does not with another one. */
  checkPasswords(t: Test, passwords: Readonly<Record<string, string>>): Promise<void>;
}

interface Answered {
  readonly summary: { readonly failed: number };
  readonly errors?: readonly { readonly message: string }[];
}

let visitors = 0;

/** @param orgId the organization of the body. By default a new one */
export async function openImporter({ container, app, call }: TestApp, given?: string): Promise<Importer> {
  const { id: own } = await makeOrganization(container);
  const orgId = given ?? own;
  const as = await makeCaller(container, own, ['IAM_OWNER']);
  return {
    orgId,
    async send(path) {
      const body = JSON.parse(readFileSync(path, 'utf8'));
      const { body: answer } = await call('POST /admin/v1/import', { as, body });
      return { body, answer, people: await container.users.count(orgId) };
    },
    async checkPasswords(t, passwords) {
      const people = Object.entries(passwords);
      await Promise.all(people.map(([loginName, password]) => signIn(t, loginName, password, 303)));
      const [first] = people;
      if (first) await signIn(t, first[0], `${first[1]}x`, 400);
    },
  };

  async function signIn(t: Test, loginName: string, password: string, status: number): Promise<void> {
    // Each visitor has an address, so that no limit is met.
    const address = `198.51.${100 + (visitors >> 8)}.${visitors++ & 255}`;
    const visitor = visit(app, container, { address });
    const fields = { loginName, password, organization: orgId };
    t.equal((await visitor.fill(await visitor.get('/login'), fields)).status, status, loginName);
  }
}
