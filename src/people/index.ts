export { openPeople } from './open-people.js';
