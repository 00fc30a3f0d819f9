export { mostSetupLinks, type SetupLink, type SetupStep, setupSteps } from './setup-link.js';
export {
  addSetupLink,
  endSetupLink,
  noteSetupStep,
  openSetupLink,
  servingSetupLink,
} from './write-setup-links.js';
