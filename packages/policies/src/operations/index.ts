// What `sluice` needs. No promise: docs/reference/versions.md.
export { changesOf, type Change } from './changes.js';
export { readDocument, type PolicyDocument } from '../document/read-document.js';
export { readRoute, ROUTE_RULE, type Route, type RoutedRequest } from '../document/routes.js';
export { withValue } from '../document/with-value.js';
export { statedRoutes } from '../stated-routes.js';
export { endingLater } from '../fleet/override-entry.js';
export { FINGERPRINTED, fingerprintIn } from '../fleet/secret-fingerprint.js';
export { FleetOverrides } from '../override-door.js';
export { policyKeys } from '../fleet/policy-keys.js';
