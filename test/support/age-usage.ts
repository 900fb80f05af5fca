import type { Redis } from 'ioredis';

const HOUR = 3_600_000;

/** Makes the hours of all usage of a server end two hours ago, as time does. */
export async function ageUsage(client: Redis): Promise<void> {
  for (const key of await client.keys('*:used')) {
    for (const [field, units] of Object.entries(await client.hgetall(key))) {
      if (field === 'label') continue;
      const hour = Number(field.replace('x', ''));
      if (hour < Math.floor(Date.now() / HOUR) - 1) continue;
      // Before its field goes: a hash without fields is deleted, with its expiry.
      await client.hset(key, field.replace(String(hour), String(hour - 2)), units);
      await client.hdel(key, field);
    }
  }
}
