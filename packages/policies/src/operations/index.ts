// operations/ is what the command line and the dashboard need, and no promise to programs. Policies and proposed
// changes enter. It imports document, fleet and the files of the package.
export { readMoment, repeatedAct, type Act, type Author, type NewAct } from '../audit/act.js';
export type { Done } from '../audit/act-store.js';
export { auditLog } from '../audit/audit-log.js';
export { actsOnClient, ownerKey, ownersOf, type ClientChoice } from '../audit/client-acts.js';
export { newId, readAuthor, resetClient } from '../audit/reset-client.js';
export { changesOf, type Change } from './changes.js';
export { readDocument, type PolicyDocument } from '../document/read-document.js';
export { FILE_FEATURES } from '../file-features.js';
export { readRoute, ROUTE_RULE, type Route, type RoutedRequest } from '../document/routes.js';
export { withValue } from '../document/with-value.js';
export { statedRoutes } from '../stated-routes.js';
export { endingLater } from '../fleet/override-entry.js';
export { FINGERPRINTED, fingerprintIn } from '../fleet/secret-fingerprint.js';
export { FleetOverrides } from '../override-door.js';
export { policyKeys } from '../fleet/policy-keys.js';
