import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import { fieldText, param } from '../http/visit.js';
import { sayGiven, sayMember } from '../memberships/act-sentences.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { addUser, addUserPage } from './add-user.js';
import { askToTakeRole, giveRole, joinGroup, leaveGroup, takeRole } from './change-roles.js';
import { deleteUser, deleteUserPage } from './delete-user.js';
import { editUser, editUserPage } from './edit-user.js';
import { logTab } from './log-tab.js';
import { suggestManagers } from './manager-field.js';
import { profileTab } from './profile-tab.js';
import { removeIdentityPage, removeUserIdentity } from './remove-identity.js';
import { removePasskeyPage, removeUserPasskey } from './remove-passkey.js';
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
    pages.get(`${users}/new`, (visit) => addUserPage(visit, { canMail }), { asksFirst: 'addOneTimeLink' });
    pages.post(`${users}/new`, (visit) => addUser(visit, { canMail }), {
      shownAt: `${users}/new`,
      returns: { allBut: ['password'] },
      says: (visit) =>
        fieldText(visit, 'role') === '' ? undefined : sayGiven(visit, fieldText(visit, 'userName')),
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
    pages.get(`${user}/reset-password`, (visit) => resetPasswordPage(visit, { canMail }), {
      asksFirst: 'addOneTimeLink',
    });
    pages.post(`${user}/reset-password`, resetPassword, {
      shownAt: `${user}/reset-password`,
      returns: 'nothing',
    });
    const factorRemoval = `${user}/second-factor/remove`;
    pages.get(factorRemoval, (visit) => removeSecondFactorPage(visit), { asksFirst: 'removeTotp' });
    pages.post(factorRemoval, removeSecondFactor, { shownAt: factorRemoval, returns: 'nothing' });
    const passkeyRemoval = `${user}/passkeys/:passkeyId/remove`;
    pages.get(passkeyRemoval, (visit) => removePasskeyPage(visit), { asksFirst: 'removePasskey' });
    pages.post(passkeyRemoval, removeUserPasskey, { shownAt: passkeyRemoval, returns: 'nothing' });
    const identityRemoval = `${user}/identities/:connectionId/remove`;
    pages.get(identityRemoval, (visit) => removeIdentityPage(visit), { asksFirst: 'removeIdentity' });
    pages.post(identityRemoval, removeUserIdentity, { shownAt: identityRemoval, returns: 'nothing' });
    pages.get(`${user}/delete`, (visit) => deleteUserPage(visit), { asksFirst: 'scimDeleteUser' });
    pages.post(`${user}/delete`, deleteUser, { shownAt: `${user}/delete`, returns: 'nothing' });
    for (const action of userActions)
      pages.post(`${user}${action.path}`, (visit) => runAction(visit, action), {
        shownAt: `${user}${tabPaths[action.tab]}`,
        returns: 'nothing',
      });

    const atRoles = { shownAt: `${user}/roles`, returns: 'nothing' } as const;
    const atGroups = { ...atRoles, query: { group: 'group' } };
    pages.post(`${user}/groups/:groupId/join`, joinGroup, {
      ...atGroups,
      says: (visit) => sayMember(visit, true),
    });
    pages.post(`${user}/groups/:groupId/leave`, leaveGroup, {
      ...atGroups,
      says: (visit) => sayMember(visit, false),
    });
    // The one role of the instance is a button, with an address of its own: the page has both forms.
    pages.post(`${user}/roles/give-instance`, giveRole, {
      ...atRoles,
      says: (visit) => sayGiven(visit, param(visit, 'userId')),
    });
    pages.post(`${user}/roles/give`, giveRole, {
      ...atRoles,
      returns: 'everything',
      says: (visit) => sayGiven(visit, param(visit, 'userId')),
    });
    const taking = `${user}/roles/:membershipId/take`;
    pages.get(taking, (visit) => askToTakeRole(visit), { asksFirst: 'removeOrganizationMembership' });
    pages.post(taking, takeRole, { shownAt: taking, query: { scope: 'scope' }, returns: 'nothing' });
  };
}
