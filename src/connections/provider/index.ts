export { isMultiFactor, longestSid, provedAt, sessionAtProvider } from './check-claims.js';
export { checkLogoutToken } from './check-logout-token.js';
export { githubAddresses, redeemAtGithub, requireGithub } from './github.js';
export { ProviderFailure, type ProviderProblem } from './provider-failure.js';
export { createProviderFetch, type ProviderFetches, type ProviderMeasures, timed } from './provider-fetch.js';
export { createProviders, type ProviderAddresses, type Providers } from './providers.js';
export { type LogoutHint, type ProvedIdentity, type RedeemDeps, redeemAnswer } from './redeem-answer.js';
