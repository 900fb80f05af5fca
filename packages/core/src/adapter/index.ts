export { GATE_OPTIONS, isLimiter } from '../http/gate/gate-options.js';
export { INHERITED_OPTIONS, inheritOptions } from '../http/gate/inherited-options.js';
export { warnOfTrust, type ProxyTrust } from '../http/gate/proxy-check.js';
export { withErrorContext } from '../options/error-context.js';
export { OptionReader, show } from '../options/option-reader.js';
export { expressTrust, type ExpressAppLike } from './express.js';
export { FastifyResponse, fastifyTrust, type FastifyReplyLike } from './fastify.js';
export { methodDecorator, type HandlerDecorator } from './method-decorator.js';
export { routeName } from './route-name.js';
