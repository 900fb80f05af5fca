// internal/ is what the other packages of Sluice share with @sluice/http. It changes without notice, so programs import
// the other entries. It re-exports other rooms, and no room imports it.
export { hasLeft } from '../gate/has-left.js';
export { SHED, type ShedVisit, type Shedding } from '../gate/shedding.js';
export { attach, type Visit } from '../visits/visit.js';
export { byApiKey } from '../keys/api-key.js';
export { by } from '../keys/by.js';
export { compose } from '../keys/compose.js';
export { byHeader, isHeaderName } from '../keys/header.js';
export { byIp } from '../keys/ip.js';
export { byJwtSubject } from '../keys/jwt-subject.js';
export { canonicalAddress, networkOf } from '../networks/address.js';
export { listKeys } from '../lists/list-keys.js';
export { listViews, type ListView } from '../lists/list-views.js';
export { UNIX, peerOf } from '../request/peer-address.js';
export { onClose } from '../request/on-close.js';
export { proxiesOption } from '../request/proxies-option.js';
export { headerOf, type HttpRequest } from '../request/request.js';
