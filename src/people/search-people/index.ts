export type { ListedUser, SearchPosition } from './user-search.store.js';
