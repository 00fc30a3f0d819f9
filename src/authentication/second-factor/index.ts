export { changeTotp } from './change-totp.js';
export { checkMailCode } from './check-mail-code.js';
export { checkSecondFactor } from './check-second-factor.js';
export { beginMailCode, type CodedSignIn, mailCodeKey } from './mail-code.js';
export { newRecoveryCodes, recoveryCodeHashes } from './recovery-codes.js';
export { renewRecoveryCodes } from './renew-recovery-codes.js';
export { createSealedTotpsStore } from './sealed-totps.store.js';
