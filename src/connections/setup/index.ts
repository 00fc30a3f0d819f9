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
  noteProvedDomain,
  noteSetupStep,
  openSetupLink,
  openSetupLinks,
  servingSetupLink,
} from './write-setup-links.js';
