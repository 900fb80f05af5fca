import { ConfigError, show } from '@sluice/core/internal';
import { readNetwork, type Network } from './network.js';

/** The networks of an option. @throws ConfigError that names the wrong one */
export function networksOption(owner: string, option: string, given: readonly string[]): readonly Network[] {
  if (!Array.isArray(given)) {
    const message = `${owner}: ${option} must be an array of addresses and networks, got ${show(given)}`;
    throw new ConfigError('OPTION_INVALID', option, given, message);
  }
  return given.map((text: unknown, index) => {
    const network = readNetwork(text);
    if (typeof network !== 'string') return network;
    const path = `${option}[${index}]`;
    throw new ConfigError('OPTION_INVALID', path, text, `${owner}: ${path} ${network}, got ${show(text)}`);
  });
}
