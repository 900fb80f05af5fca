// adapter/ is the entry for packages that translate a framework, such as @sluice/express. Requests of that framework
// enter the gate through it. It imports gate, web, problem and request.
export {
  ANY,
  checkObject,
  FLAG,
  FUNCTION,
  isPromise,
  kindOf,
  mayHold,
  OptionReader,
  type OptionRow,
  type OptionRows,
  peerOption,
  readOptions,
  type SharedLimiterOptions,
  show,
  type CombinationRule,
  warn,
  withErrorContext,
} from '@sluice/core/internal';
export { createGate } from '../gate/gate.js';
export { GATE_OPTIONS, isLimiter, type GatedLimiterOptions } from '../gate/gate-options.js';
export { heldBy, holdWhile, type HeldRequest } from '../gate/held-request.js';
export { INHERITED_OPTIONS, inheritOptions } from '../gate/inherited-options.js';
export { warnOfTrust, type ProxyTrust } from '../request/proxy-check.js';
export { warnOfUnsentResult, watchDenial, type DenialAnswer } from '../gate/unanswered-denial.js';
export { routeOf } from '../request/route-of.js';
export { WebRequest, type WebClient } from '../web/web-request.js';
export { CLIENT_HAS_LEFT, type WebEnding, type WebResponse } from '../web/web-response.js';
export type { Body } from '../problem/negotiated-body.js';
export { expressTrust, type ExpressAppLike } from './express.js';
export { FastifyResponse, fastifyTrust, type FastifyReplyLike } from './fastify.js';
export { methodDecorator, type HandlerDecorator } from './method-decorator.js';
export { routeName } from './route-name.js';
