import { ListedNetworks } from './listed-networks.js';

describe('ListedNetworks', () => {
  it('lets other work run while it looks for what the store does not have', async () => {
    const networks = new ListedNetworks();
    for (let index = 0; index < 100_000; index += 1) {
      const name = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
      networks.apply({ name, number: index + 1, until: 0, note: '' }, 0, index % 2);
    }
    let turns = 0;
    let isSwept = false;
    const turn = () => {
      turns += 1;
      if (!isSwept) setImmediate(turn);
    };
    setImmediate(turn);

    const lost = await networks.sweep(1, 75_000);
    isSwept = true;

    expect(lost).toHaveLength(12_500);
    expect(networks.size).toBe(62_500);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
