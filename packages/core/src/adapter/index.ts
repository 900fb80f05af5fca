export { ReplyResponse, type FastifyReplyLike } from '../http/fastify/reply-response.js';
export { fastifyTrust } from '../http/fastify/trust.js';
export { GATE_OPTIONS, isLimiter } from '../http/gate-options.js';
export { INHERITED_OPTIONS, inheritOptions } from '../http/inherited-options.js';
export { methodDecorator, type HandlerDecorator } from './method-decorator.js';
export { warnOfTrust } from '../http/proxies.js';
export { routeName } from '../http/route-name.js';
export { withErrorContext } from '../options/error-context.js';
export { OptionReader, show } from '../options/option-reader.js';
