import { ListedNetworks } from './listed-networks.js';

describe('ListedNetworks', () => {
  it('lets other work run while it looks for what the store does not have', async () => {
    const networks = new ListedNetworks();
    for (let index = 0; index < 20_000; index += 1) {
      const name = `10.0.${index >> 8}.${index & 255}`;
      networks.apply({ name, number: index + 1, until: 0, note: '' }, 0, index % 2);
    }
    let turns = 0;
    let isSwept = false;
    const turn = () => {
      turns += 1;
      if (!isSwept) setImmediate(turn);
    };
    setImmediate(turn);

    const lost = await networks.sweep(1, 15_000);
    isSwept = true;

    expect(lost).toHaveLength(2_500);
    expect(networks.size).toBe(12_500);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
