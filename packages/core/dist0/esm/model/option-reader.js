import { distance } from 'fastest-levenshtein';
import { parseDuration } from './duration.js';
import { ConfigError } from './errors.js';
const DAY = 8.64e10;
/** Reads options at the door: each is checked once, and a mistake is told with option, rule and value. */
export class OptionReader {
    #owner;
    #path;
    #given;
    /**
     * @param path where the options stand in others of the same owner: `windows[1].`
     * @throws ConfigError OPTION_UNKNOWN for a name that is not known, with the nearest that is.
     */
    constructor(owner, given, known, path = '') {
        this.#owner = owner;
        this.#path = path;
        this.#given = given;
        for (const name of Object.keys(given)) {
            if (known.includes(name) || this.#given[name] === undefined)
                continue;
            const meant = nearest(name, known);
            const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
            throw this.fail('OPTION_UNKNOWN', name, `is not an option here: ${hint}`);
        }
    }
    /** Reads the options in one of these that is an array. */
    inside(name, index, known) {
        const each = this.#given[name][index];
        return new OptionReader(this.#owner, Object(each), known, `${this.#path}${name}[${index}].`);
    }
    has(name) {
        return this.#given[name] !== undefined;
    }
    value(name) {
        return this.#given[name];
    }
    /** An integer from `min` to `max`. Without `otherwise` it has to be given. */
    integer(code, name, { min = 1, max = Number.MAX_SAFE_INTEGER, otherwise } = {}) {
        const { [name]: value = otherwise } = this.#given;
        if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max)
            return value;
        const bound = max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
        throw this.fail(code, name, `must be ${bound}`);
    }
    /** A duration in whole microseconds, from 1 ms to 400 days. */
    duration(name) {
        const microseconds = parseDuration(this.#given[name]);
        if (microseconds !== undefined && microseconds >= 1e3 && microseconds <= 400 * DAY)
            return microseconds;
        throw this.fail('WINDOW_INVALID', name, "must be a duration from 1 ms to 400 days, such as 60000 or '1m'");
    }
    /** The function that an option holds, if it holds anything. */
    function(name, value) {
        if (value === undefined || typeof value === 'function')
            return value;
        throw this.fail('OPTION_INVALID', name, 'must be a function');
    }
    flag(name) {
        return this.choice(name, [true, false], false);
    }
    choice(name, choices, otherwise) {
        const { [name]: value = otherwise } = this.#given;
        if (choices.includes(value))
            return value;
        const meant = nearest(value, choices);
        const hint = meant === undefined ? '' : ` (did you mean ${show(meant)}?)`;
        throw this.fail('OPTION_INVALID', name, `must be one of ${choices.map((each) => show(each)).join(', ')}${hint}`);
    }
    /** The error of an option: names whose it is, the option, the rule and the value. */
    fail(code, name, rule, cause) {
        const value = this.#given[name];
        const option = `${this.#path}${name}`;
        const message = `${this.#owner}: ${option} ${rule}, got ${show(value)}`;
        return new ConfigError(code, option, value, message, cause === undefined ? undefined : { cause });
    }
}
/** What was meant by a text that is not known; none where it is another word rather than a misspelling. */
function nearest(text, known) {
    if (typeof text !== 'string')
        return undefined;
    const far = (each) => distance(text, String(each));
    const [first] = known.toSorted((one, other) => far(one) - far(other));
    return first !== undefined && far(first) <= Math.ceil(text.length / 3) ? first : undefined;
}
/** A value as a message shows it: short, and never a surprise. */
export function show(value) {
    if (typeof value === 'string')
        return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
    if (typeof value === 'function')
        return `the function ${value.name || '(anonymous)'}`;
    if (Array.isArray(value))
        return `an array of ${value.length}`;
    if (typeof value === 'object' && value !== null)
        return 'an object';
    return String(value);
}
//# sourceMappingURL=option-reader.js.map