"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.optionNames = optionNames;
exports.readTierOptions = readTierOptions;
const index_js_1 = require("../algorithms/index.js");
const option_reader_js_1 = require("../model/option-reader.js");
const tier_js_1 = require("./tier.js");
/** What others call our options. */
const ELSEWHERE = new Map([
    ['max', 'limit'],
    ['points', 'limit'],
    ['requests', 'limit'],
    ['windowMs', 'window'],
    ['duration', 'window'],
    ['interval', 'window'],
    ['timeWindow', 'window'],
    ['ttl', 'window'],
]);
/** The names of the options of a tier with this algorithm. */
function optionNames(algorithm) {
    return ['algorithm', ...index_js_1.algorithms[algorithm].options, ...tier_js_1.TIER_OPTIONS];
}
/**
 * A reader of the options of a tier.
 *
 * @param besides other names that may stand there
 * @throws ConfigError OPTION_UNKNOWN that says whose option it is, or what it is called here
 */
function readTierOptions(owner, given, algorithm, besides = []) {
    const known = [...optionNames(algorithm), ...besides];
    for (const name of Object.keys(given)) {
        if (known.includes(name))
            continue;
        const others = Object.values(index_js_1.algorithms).filter(({ options }) => options.includes(name));
        // What nearly all have is missing here for a reason, and the nearest name tells more.
        const names = others.map((each) => each.name).join(' and ');
        const here = ELSEWHERE.get(name);
        const hint = others.length === 1 || others.length === 2
            ? `is an option of ${names}: set algorithm`
            : here && `is called ${here} here`;
        if (hint)
            throw new option_reader_js_1.OptionReader(owner, given, Object.keys(given)).fail('OPTION_UNKNOWN', name, hint);
    }
    return new option_reader_js_1.OptionReader(owner, given, known);
}
//# sourceMappingURL=option-names.js.map