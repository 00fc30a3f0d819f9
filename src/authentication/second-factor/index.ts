export { changeTotp } from './change-totp.js';
export { checkSecondFactor } from './check-second-factor.js';
export { newRecoveryCodes, recoveryCodeHashes } from './recovery-codes.js';
export { renewRecoveryCodes } from './renew-recovery-codes.js';
export { createSealedTotpsStore } from './sealed-totps.store.js';
