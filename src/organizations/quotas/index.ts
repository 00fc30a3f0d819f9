export { createQuotaPlaces } from './quota-places.store.js';
export { createQuotas, type Quotas } from './quotas.js';
