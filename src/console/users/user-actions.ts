import type { GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { DoneName, TabName } from './texts/texts.js';
import { adminUserPath, scimUserPath, usersPath } from './user.js';

/** A step that one button takes, and that can be undone or does no harm. */
interface Action {
  /** The path of the button, behind that of the user. */
  readonly path: string;
  readonly done: DoneName;
  /** The page that follows. */
  readonly tab: Exclude<TabName, 'log'>;
  run(visit: ConsoleVisit, ids: { orgId: string; userId: string }): Promise<unknown>;
}

/** Sends a request without a body to a path of the user in the admin API. */
const post =
  (end: string): Action['run'] =>
  ({ api }, { orgId, userId }) =>
    api.send('POST', `${adminUserPath(orgId, userId)}/${end}`, {});

const setActive =
  (active: boolean): Action['run'] =>
  ({ api }, { orgId, userId }) =>
    api.send('PATCH', scimUserPath(orgId, userId), {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: active }],
    });

/** The actions of one user. */
export const userActions: readonly Action[] = [
  { path: '/deactivate', done: 'deactivated', tab: 'profile', run: setActive(false) },
  { path: '/reactivate', done: 'reactivated', tab: 'profile', run: setActive(true) },
  { path: '/unlock', done: 'unlocked', tab: 'signIn', run: post('unlock') },
  {
    path: '/require-password-change',
    done: 'changeRequired',
    tab: 'signIn',
    run: post('require-password-change'),
  },
  {
    path: '/sessions/end',
    done: 'sessionsEnded',
    tab: 'sessions',
    run: ({ api }, { orgId, userId }) => api.send('DELETE', `${adminUserPath(orgId, userId)}/sessions`),
  },
  {
    path: '/sessions/:sessionId/end',
    done: 'sessionEnded',
    tab: 'sessions',
    run: (visit, { orgId, userId }) =>
      visit.api.send('DELETE', pathTo(`${adminUserPath(orgId, userId)}/sessions`, param(visit, 'sessionId'))),
  },
  {
    path: '/browsers/:browserId/forget',
    done: 'browserForgotten',
    tab: 'sessions',
    run: (visit, { orgId, userId }) =>
      visit.api.send(
        'DELETE',
        pathTo(`${adminUserPath(orgId, userId)}/remembered-browsers`, param(visit, 'browserId')),
      ),
  },
  {
    path: '/consents/:clientId/revoke',
    done: 'consentRevoked',
    tab: 'sessions',
    run: (visit, { orgId, userId }) =>
      visit.api.send('DELETE', pathTo(`${adminUserPath(orgId, userId)}/consents`, param(visit, 'clientId'))),
  },
];

/** The paths of the tabs, behind that of the user. */
export const tabPaths = { profile: '', signIn: '/sign-in', sessions: '/sessions', roles: '/roles' } as const;

/** Takes the step, and shows the tab that it concerns. */
export async function runAction(visit: ConsoleVisit, { run, done, tab }: Action): Promise<GoTo> {
  const [orgId, userId] = [param(visit, 'orgId'), param(visit, 'userId')];
  await run(visit, { orgId, userId });
  return { goTo: `${pathTo(usersPath(orgId), userId)}${tabPaths[tab]}?done=${done}` };
}
