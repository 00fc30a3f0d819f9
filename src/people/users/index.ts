export { addUser } from './add-user.js';
export { type ChangeUserDeps, type ChangeUserRequest, changeUser } from './change-user.js';
export { changedUser } from './changed-user.js';
export { asInput, isDisplayNameGiven, madeDisplayName, shownFormatted } from './display-name.js';
export { hasProved, loginNameSince, loginNamesFrom } from './login-names.js';
export { newUser, type UserDraft } from './new-user.js';
export { collectRefusals, normalizeProfile } from './normalize-profile.js';
export type { People } from './people.js';
export {
  assumedLanguage,
  chosenLanguage,
  givenLanguage,
  onlyOneChoseLanguage,
} from './preferred-language.js';
export { type RequireUserDeps, requireUser } from './require-user.js';
export { searchKeysUpgrade } from './search-keys-upgrade.js';
export type { SeenUsers } from './seen-users.js';
export {
  conflictOf,
  type FindTaken,
  requireFreeExternalId,
  requireFreeValues,
  takenError,
  type UniqueKey,
  uniqueKeysOf,
} from './unique-values.js';
export { changedAttributes, comparedAttributes, userEvent } from './user-events.js';
export type { NewUser } from './user-writes.store.js';
export type { UsersStore } from './users.store.js';
export { wantUniqueExternalIds } from './want-unique-external-ids.js';
export { type ChangedUser, revokeChangedUsers, writeChangedUsers } from './write-changed-users.js';
export { type BatchNewUser, writeNewUsers } from './write-new-users.js';
export { writeUser } from './write-user.js';
