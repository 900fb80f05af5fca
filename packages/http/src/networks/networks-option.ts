import { OptionReader, type OptionRow } from '@sluice/core/internal';
import { readNetwork, type Network } from './network.js';

const NETWORKS_ROW = { is: 'array', words: 'an array of addresses and networks', required: true } as const;
const NETWORK_ROW: OptionRow = {
  is: (text) => {
    const network = readNetwork(text);
    return typeof network === 'string' ? network : true;
  },
  words: "an address or a network, such as '203.0.113.7' or '203.0.113.0/24'",
  required: true,
};

/** The networks of an option. @throws ConfigError that names the wrong one */
export function networksOption(owner: string, option: string, given: readonly string[]): readonly Network[] {
  const reader = new OptionReader(owner, { [option]: given }, [option]);
  reader.one(option, NETWORKS_ROW);
  return given.map((_, index) => readNetwork(reader.item(option, index, NETWORK_ROW)) as Network);
}
