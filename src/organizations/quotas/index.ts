export { createQuotaReservations } from './quota-reservations.store.js';
export { createQuotas, type Quotas } from './quotas.js';
