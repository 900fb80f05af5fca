"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.definePolicy = definePolicy;
exports.algorithmName = algorithmName;
const option_reader_js_1 = require("../model/option-reader.js");
const index_js_1 = require("./index.js");
/**
 * Checks options and makes their policy.
 *
 * @param owner what an error message begins with: `tier "login"`
 * @throws ConfigError that names the option, the rule and the value
 */
function definePolicy(options, owner = 'policy') {
    const name = algorithmName(options, owner);
    const algorithm = index_js_1.algorithms[name];
    return algorithm.define(new option_reader_js_1.OptionReader(`${owner} (${name})`, options, ['algorithm', ...algorithm.options]));
}
/** The algorithm that options name; `sliding-window` when they name none. */
function algorithmName(options, owner) {
    const { algorithm } = options;
    if (algorithm === 'gcra')
        return 'token-bucket';
    const names = [...Object.keys(index_js_1.algorithms), 'gcra'];
    return new option_reader_js_1.OptionReader(owner, { algorithm }, ['algorithm']).choice('algorithm', names, 'sliding-window');
}
//# sourceMappingURL=policy-options.js.map