import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { consolePages } from '../http/pages.js';
import { addUser, addUserPage } from './add-user.js';
import { giveRole, joinGroup, leaveGroup, takeRole } from './change-roles.js';
import { deleteUser, deleteUserPage } from './delete-user.js';
import { editUser, editUserPage } from './edit-user.js';
import { logTab } from './log-tab.js';
import { profileTab } from './profile-tab.js';
import { removeSecondFactor, removeSecondFactorPage } from './remove-second-factor.js';
import { resetPassword, resetPasswordPage } from './reset-password.js';
import { rolesTab } from './roles-tab.js';
import { sessionsTab } from './sessions-tab.js';
import { signInTab } from './sign-in-tab.js';
import { runAction, userActions } from './user-actions.js';
import { usersPage } from './user-list.js';

/** `/console/orgs/:orgId/users`: the users of an organization. */
export function usersRoutes(container: Container): FastifyPluginAsync {
  const canMail = container.mailLink !== undefined;

  return async (app) => {
    const pages = consolePages(app, container, 'organization');
    const users = '/console/orgs/:orgId/users';
    const user = `${users}/:userId`;
    pages.get(users, usersPage);
    pages.get(`${users}/new`, (visit) => addUserPage(visit, { canMail }));
    pages.post(`${users}/new`, (visit) => addUser(visit, { canMail }));

    pages.get(user, profileTab);
    pages.get(`${user}/sign-in`, signInTab);
    pages.get(`${user}/sessions`, sessionsTab);
    pages.get(`${user}/roles`, rolesTab);
    pages.get(`${user}/log`, logTab);

    pages.get(`${user}/edit`, editUserPage);
    // The form has each value twice: as it is, and as it was.
    pages.post(`${user}/edit`, editUser, { formBytes: 262_144 });
    pages.get(`${user}/reset-password`, (visit) => resetPasswordPage(visit, { canMail }));
    pages.post(`${user}/reset-password`, resetPassword);
    pages.get(`${user}/second-factor/remove`, (visit) => removeSecondFactorPage(visit));
    pages.post(`${user}/second-factor/remove`, removeSecondFactor);
    pages.get(`${user}/delete`, (visit) => deleteUserPage(visit));
    pages.post(`${user}/delete`, deleteUser);
    for (const action of userActions)
      pages.post(`${user}${action.path}`, (visit) => runAction(visit, action));

    pages.post(`${user}/groups/:groupId/join`, joinGroup);
    pages.post(`${user}/groups/:groupId/leave`, leaveGroup);
    pages.post(`${user}/roles/give`, giveRole);
    pages.post(`${user}/roles/:membershipId/take`, takeRole);
  };
}
