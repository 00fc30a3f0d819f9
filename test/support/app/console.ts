import type { FastifyInstance } from 'fastify';
import { addMembership } from '#src/access/memberships/add-membership.js';
import type { Organization } from '#src/directory/organization.js';
import { isInstanceRole, type Role } from '#src/directory/roles.js';
import type { User, UserProfileInput } from '#src/directory/user.js';
import type { Rooms } from '#src/rooms.js';
import { type Seen, type Visitor, type VisitorOptions, visit } from '../oidc/visitor.js';
import { testEditor } from './make.js';
import { goodPassword, makePerson } from './people.js';

/** A person who uses the console with a browser. */
export interface ConsoleUser extends Visitor {
  readonly person: User;
  /** Signs in again, at whatever page the browser was led to. */
  signIn(seen: Seen): Promise<Seen>;
}

/**
 * A person with roles who has signed in to the console.
 * @param options `roles`: organization roles apply in the person's organization. `profile`: attributes of the person
 */
export async function openConsole(
  { app, container }: { app: FastifyInstance; container: Rooms },
  organization: Organization,
  options: { roles?: readonly Role[]; profile?: Partial<UserProfileInput> } & VisitorOptions = {},
): Promise<ConsoleUser> {
  const { roles = [], profile } = options;
  const person = await makePerson(container, organization, profile);
  for (const role of roles) {
    const place = isInstanceRole(role) ? {} : { orgId: organization.id };
    await addMembership(container, { userId: person.id, role, ...place, editor: testEditor });
  }
  const visitor = visit(app, container, options);
  const signIn = async (seen: Seen) => {
    const page = await visitor.follow(seen);
    const fields = { loginName: person.userName, password: goodPassword };
    const next = await visitor.follow(await visitor.fill(page, fields));
    // An organization that will demand a second factor offers to set one up.
    const offered = next.url.startsWith('/login/enrol');
    return offered ? visitor.follow(await visitor.fill(next, { later: '1' })) : next;
  };
  const start = await signIn(await visitor.get('/console'));
  if (start.status !== 200) throw new Error(`No console: ${start.status} ${start.text.slice(0, 600)}`);
  return { ...visitor, person, signIn };
}
