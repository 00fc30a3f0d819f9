export type { ListedUser, SearchPosition, UserOrder } from './user-search.store.js';
