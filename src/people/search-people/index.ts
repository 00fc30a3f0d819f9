export {
  createUserSearchStore,
  type ListedUser,
  type SearchPosition,
  type UserSearchStore,
} from './user-search.store.js';
