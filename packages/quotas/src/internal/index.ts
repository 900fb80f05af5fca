// internal/ is what the other packages of Sluice share with @sluice/quotas. It changes without notice, so programs
// import the other entries. It re-exports other files, and none imports it.
export { isCovering, paymentOf } from '../credits/covers.js';
export { quotaKeys } from '../quota-keys.js';
export { actOfPosting } from '../credits/report-posting.js';
