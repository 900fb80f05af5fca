export { accountName, accountWithKey, authenticate, type Account, type Plan } from './accounts.js';
export { complaint } from './complaint.js';
export { firstAnswer } from './first-answer.js';
export { greeting, welcome } from './greeting.js';
export { RedisLog } from './redis-log.js';
export { claimsOf, issuer, secret, signToken, type Claims } from './token.js';
