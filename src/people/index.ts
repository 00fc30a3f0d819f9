export { type OpenedPeople, openPeople, peopleCollections } from './open-people.js';
