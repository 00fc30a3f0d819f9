export { directoryCollections, type OpenedDirectory, openDirectory } from './open-directory.js';
