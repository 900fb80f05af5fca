export { ReplyResponse, type FastifyReplyLike } from './reply-response.js';
export { fastifyTrust } from './fastify.js';
export { GATE_OPTIONS, isLimiter } from '../http/gate/gate-options.js';
export { INHERITED_OPTIONS, inheritOptions } from '../http/gate/inherited-options.js';
export { methodDecorator, type HandlerDecorator } from './method-decorator.js';
export { warnOfTrust } from '../http/gate/proxy-check.js';
export { routeName } from './route-name.js';
export { withErrorContext } from '../options/error-context.js';
export { OptionReader, show } from '../options/option-reader.js';
