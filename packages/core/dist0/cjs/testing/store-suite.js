"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.storeSuite = storeSuite;
const algorithm_rules_js_1 = require("./suite/algorithm-rules.js");
const closing_rules_js_1 = require("./suite/closing-rules.js");
const group_rules_js_1 = require("./suite/group-rules.js");
const key_rules_js_1 = require("./suite/key-rules.js");
const record_rules_js_1 = require("./suite/record-rules.js");
const samples_js_1 = require("./suite/samples.js");
const trial_js_1 = require("./suite/trial.js");
/**
 * What every store has to do, as tests of any runner that has `describe` and `it`. It never waits and never looks at
 * the store's clock: windows are hours long and keys are new for every test. Each test closes the store it was given.
 *
 * @param makeStore called once a test; the stores may keep their state in one place
 */
function storeSuite(runner, makeStore) {
    const trial = (0, trial_js_1.trialsOf)(runner, makeStore);
    for (const [name, options] of Object.entries(samples_js_1.SAMPLES)) {
        runner.describe(name, () => (0, algorithm_rules_js_1.algorithmRules)(trial, options));
    }
    runner.describe('claims of one request', () => (0, group_rules_js_1.groupRules)(trial));
    runner.describe('recorded texts', () => (0, record_rules_js_1.recordRules)(trial));
    runner.describe('keys', () => (0, key_rules_js_1.keyRules)(trial));
    runner.describe('closing', () => (0, closing_rules_js_1.closingRules)(trial));
}
//# sourceMappingURL=store-suite.js.map