export { accountWithKey, authenticate, type Account, type Plan } from './accounts.js';
export { OutageLog } from './outage-log.js';
export { startErrorMessage } from './start-error.js';
export { claimsOf, issuer, secret, signToken, type Claims } from './token.js';
export { dashboardMessage, startMessage, usage } from './usage.js';
export { waitForStore } from './wait-for-store.js';
