import { ConfigError, isSluiceError } from './errors.js';
/** Has mistakes in options say where these stand: `route GET /cats: tier "GET /cats": limit must be ...`. */
export function inPlace(place, make) {
    try {
        return make();
    }
    catch (error) {
        if (!isSluiceError(error) || !(error instanceof ConfigError))
            throw error;
        throw new ConfigError(error.code, error.option, error.value, `${place}: ${error.message}`, { cause: error });
    }
}
//# sourceMappingURL=in-place.js.map