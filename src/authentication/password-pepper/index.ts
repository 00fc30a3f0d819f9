export { putPasswordPepper } from './put-password-pepper.js';
export { removePasswordPepper } from './remove-password-pepper.js';
