export { beginSignInLink } from './begin-sign-in-link.js';
export { createSignInLinksStore, type SignInLink } from './sign-in-links.store.js';
export { findAccountOfLink, takeSignInLink } from './take-sign-in-link.js';
