"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.storeSuite = exports.fakeClock = void 0;
var clock_js_1 = require("./clock.js");
Object.defineProperty(exports, "fakeClock", { enumerable: true, get: function () { return clock_js_1.fakeClock; } });
var store_suite_js_1 = require("./store-suite.js");
Object.defineProperty(exports, "storeSuite", { enumerable: true, get: function () { return store_suite_js_1.storeSuite; } });
//# sourceMappingURL=index.js.map