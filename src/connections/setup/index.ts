export {
  mostSetupLinks,
  type SetupLink,
  type SetupStep,
  setupSteps,
} from './setup-link.js';
export {
  addSetupLink,
  endSetupLink,
  isLeftToLink,
  nameSetupDomain,
  noteSetupStep,
  openSetupLink,
  openSetupLinks,
  servingSetupLink,
} from './write-setup-links.js';
