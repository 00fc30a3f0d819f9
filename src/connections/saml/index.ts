export { refreshAllMetadata } from './refresh-metadata.js';
export { describeService } from './request-at-provider.js';
export { describedProvider } from './saml-settings.js';
