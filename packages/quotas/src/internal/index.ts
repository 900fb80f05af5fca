// What the other packages of Sluice share with @sluice/quotas. It changes without notice: programs import the other entries.
export { quotaKeys } from '../quota-keys.js';
