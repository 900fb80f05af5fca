// internal/ is what the other packages of Sluice share with @sluice/quotas. It changes without notice, so programs
// import the other entries. It re-exports other files, and none imports it.
export { balanceText, type BalanceText } from '../credits/balance-text.js';
export { creditAct, creditedBy, endAct, reconcileAct } from '../credits/balance-acts.js';
export type { Credit, Credited, Reconciliation } from '../credits/credit.js';
export { isCovering, paymentOf } from '../credits/covers.js';
export { quotaKeys } from '../quota-keys.js';
export { actOfPosting } from '../credits/posting-act.js';
