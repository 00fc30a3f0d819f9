import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { addUser, addUserPage } from './add-user.js';
import { askToTakeRole, giveRole, joinGroup, leaveGroup, takeRole } from './change-roles.js';
import { deleteUser, deleteUserPage } from './delete-user.js';
import { editUser, editUserPage } from './edit-user.js';
import { logTab } from './log-tab.js';
import { suggestManagers } from './manager-field.js';
import { profileTab } from './profile-tab.js';
import { removeSecondFactor, removeSecondFactorPage } from './remove-second-factor.js';
import { resetPassword, resetPasswordPage } from './reset-password.js';
import { rolesTab } from './roles-tab.js';
import { sessionsTab } from './sessions-tab.js';
import { signInTab } from './sign-in-tab.js';
import { runAction, tabPaths, userActions } from './user-actions.js';
import { usersPage } from './user-list.js';

/** `/console/orgs/:orgId/users`: the users of an organization. */
export function usersRoutes(deps: ConsoleNeeds): FastifyPluginAsync {
  const canMail = deps.mailLink !== undefined;

  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const users = '/console/orgs/:orgId/users';
    const user = `${users}/:userId`;
    // A trial without a mail server keeps mail in the memory of one process, and workers do the actions.
    const sendsMail = deps.config.smtpUrl !== '';
    pages.get(users, (visit) => usersPage(visit, { canMail: sendsMail }));
    pages.get(`${users}/new`, (visit) => addUserPage(visit, { canMail }));
    // The way to a password gives a link or a password, so the person chooses it once more.
    pages.post(`${users}/new`, (visit) => addUser(visit, { canMail }), {
      shownAt: `${users}/new`,
      returns: { allBut: ['credential', 'password'] },
    });

    pages.get(`${users}/managers`, suggestManagers);

    pages.get(user, profileTab);
    pages.get(`${user}/sign-in`, signInTab);
    pages.get(`${user}/sessions`, sessionsTab);
    pages.get(`${user}/roles`, rolesTab);
    pages.get(`${user}/log`, logTab);

    pages.get(`${user}/edit`, editUserPage);
    // The form has each value twice: as it is, and as it was.
    pages.post(`${user}/edit`, editUser, {
      shownAt: `${user}/edit`,
      returns: 'everything',
      formBytes: 262_144,
    });
    pages.get(`${user}/reset-password`, (visit) => resetPasswordPage(visit, { canMail }));
    pages.post(`${user}/reset-password`, resetPassword, {
      shownAt: `${user}/reset-password`,
      returns: 'nothing',
    });
    const factorRemoval = `${user}/second-factor/remove`;
    pages.get(factorRemoval, (visit) => removeSecondFactorPage(visit));
    pages.post(factorRemoval, removeSecondFactor, { shownAt: factorRemoval, returns: 'nothing' });
    pages.get(`${user}/delete`, (visit) => deleteUserPage(visit));
    pages.post(`${user}/delete`, deleteUser, { shownAt: `${user}/delete`, returns: 'nothing' });
    for (const action of userActions)
      pages.post(`${user}${action.path}`, (visit) => runAction(visit, action), {
        shownAt: `${user}${tabPaths[action.tab]}`,
        returns: 'nothing',
      });

    const atRoles = { shownAt: `${user}/roles`, returns: 'nothing' } as const;
    const atGroups = { ...atRoles, query: { group: 'group' } };
    pages.post(`${user}/groups/:groupId/join`, joinGroup, atGroups);
    pages.post(`${user}/groups/:groupId/leave`, leaveGroup, atGroups);
    pages.post(`${user}/roles/give`, giveRole, atRoles);
    const taking = `${user}/roles/:membershipId/take`;
    pages.get(taking, (visit) => askToTakeRole(visit));
    pages.post(taking, takeRole, { shownAt: taking, query: { scope: 'scope' }, returns: 'nothing' });
  };
}
