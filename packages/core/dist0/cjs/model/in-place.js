"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.inPlace = inPlace;
const errors_js_1 = require("./errors.js");
/** Has mistakes in options say where these stand: `route GET /cats: tier "GET /cats": limit must be ...`. */
function inPlace(place, make) {
    try {
        return make();
    }
    catch (error) {
        if (!(0, errors_js_1.isSluiceError)(error) || !(error instanceof errors_js_1.ConfigError))
            throw error;
        throw new errors_js_1.ConfigError(error.code, error.option, error.value, `${place}: ${error.message}`, { cause: error });
    }
}
//# sourceMappingURL=in-place.js.map