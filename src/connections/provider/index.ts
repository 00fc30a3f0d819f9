export { isMultiFactor, longestSid, provedAt, sessionAtProvider } from './check-claims.js';
export { checkLogoutToken } from './check-logout-token.js';
export { ProviderFailure, type ProviderProblem } from './provider-failure.js';
export { createProviderFetch, type ProviderMeasures, timed } from './provider-fetch.js';
export { createProviders, type ProviderMetadata, type Providers } from './providers.js';
export { type LogoutHint, type ProvedIdentity, type RedeemDeps, redeemAnswer } from './redeem-answer.js';
