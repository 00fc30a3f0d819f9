export { type Consent, consentKey } from './consent.js';
export type { ConsentsStore } from './consents.store.js';
export { giveConsent } from './give-consent.js';
export { revokeConsent } from './revoke-consent.js';
