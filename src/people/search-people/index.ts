export { createUserSearchStore, type ListedUser, type SearchPosition } from './user-search.store.js';
