export type { ListedUser, SearchPosition, UserOrder, UserSearchStore } from './user-search.store.js';
