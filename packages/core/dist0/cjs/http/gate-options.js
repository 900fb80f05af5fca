"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.GATE_OPTIONS = void 0;
exports.readGateOptions = readGateOptions;
exports.isLimiter = isLimiter;
const errors_js_1 = require("../model/errors.js");
const option_reader_js_1 = require("../model/option-reader.js");
const dialect_js_1 = require("./fields/dialect.js");
exports.GATE_OPTIONS = ['skip', 'cost', 'headers', 'body', 'onDenied', 'refundWhen'];
/** Checks what is not about the limiter. @throws ConfigError */
function readGateOptions(options) {
    if (typeof options !== 'object' || options === null) {
        throw new errors_js_1.ConfigError('OPTION_INVALID', 'options', options, `rateLimit: options must be an object or a limiter, got ${(0, option_reader_js_1.show)(options)}`);
    }
    if (isLimiter(options))
        return { limiter: options };
    // The limiter says which of the others it does not know.
    const reader = new option_reader_js_1.OptionReader('rateLimit', options, Object.keys(options));
    if (options.limiter !== undefined)
        checkSharedLimiter(reader, options);
    for (const name of ['skip', 'onDenied', 'refundWhen'])
        reader.function(name, options[name]);
    if (typeof options.cost !== 'function' && options.cost !== undefined) {
        reader.integer('COST_INVALID', 'cost', { min: 0 });
    }
    if (!['undefined', 'string', 'object', 'function'].includes(typeof options.body)) {
        throw reader.fail('OPTION_INVALID', 'body', 'must be text, an object or a function');
    }
    checkDialects(reader, options.headers);
    return options;
}
function checkSharedLimiter(reader, options) {
    if (!isLimiter(options.limiter)) {
        throw reader.fail('OPTION_INVALID', 'limiter', 'must be a limiter, as createLimiter makes it');
    }
    const besides = ['limiter', ...exports.GATE_OPTIONS];
    const other = Object.keys(options).find((name) => reader.has(name) && !besides.includes(name));
    if (other === undefined)
        return;
    const rule = `must not stand beside limiter, which has limits of its own: there may be ${exports.GATE_OPTIONS.join(', ')}`;
    throw reader.fail('OPTION_UNKNOWN', other, rule);
}
/** True for a limiter, whichever copy of the package has made it. */
function isLimiter(options) {
    return typeof options?.settle === 'function';
}
function checkDialects(reader, chosen = []) {
    const known = Object.keys(dialect_js_1.dialects);
    if (!Array.isArray(chosen))
        throw reader.fail('OPTION_INVALID', 'headers', `must be an array of ${known.join(', ')}`);
    const wrong = chosen.findIndex((name) => !known.includes(name));
    if (wrong >= 0) {
        throw new errors_js_1.ConfigError('OPTION_INVALID', `headers[${wrong}]`, chosen[wrong], `rateLimit: headers[${wrong}] must be one of ${known.join(', ')}, got ${(0, option_reader_js_1.show)(chosen[wrong])}`);
    }
    if (chosen.filter((name) => name.startsWith('draft-')).length > 1) {
        throw reader.fail('OPTION_INVALID', 'headers', 'must name one draft at most: all of them use RateLimit-Policy');
    }
}
//# sourceMappingURL=gate-options.js.map