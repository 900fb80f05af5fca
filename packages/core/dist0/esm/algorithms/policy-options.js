import { OptionReader } from '../model/option-reader.js';
import { algorithms } from './index.js';
/**
 * Checks options and makes their policy.
 *
 * @param owner what an error message begins with: `tier "login"`
 * @throws ConfigError that names the option, the rule and the value
 */
export function definePolicy(options, owner = 'policy') {
    const name = algorithmName(options, owner);
    const algorithm = algorithms[name];
    return algorithm.define(new OptionReader(`${owner} (${name})`, options, ['algorithm', ...algorithm.options]));
}
/** The algorithm that options name; `sliding-window` when they name none. */
export function algorithmName(options, owner) {
    const { algorithm } = options;
    if (algorithm === 'gcra')
        return 'token-bucket';
    const names = [...Object.keys(algorithms), 'gcra'];
    return new OptionReader(owner, { algorithm }, ['algorithm']).choice('algorithm', names, 'sliding-window');
}
//# sourceMappingURL=policy-options.js.map