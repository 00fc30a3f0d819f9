export { type CheckDomainsDeps, checkProvedDomains } from './check-proved-domains.js';
export { type DomainProof, recordOf } from './domain-proof.js';
export {
  createDomainProofsStore,
  domainProofIndexes,
} from './domain-proofs.store.js';
export { beginDomainProof, checkDomainProof, checkVerifiedDomain } from './prove-domain.js';
export { isPublicMailDomain } from './public-mail-domains.js';
