import { browser, client } from './actors.js';
import type { Actor, SiteRequest } from './site.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const PROBED = [
  'admin',
  'wp-login.php',
  '.env',
  'backup.zip',
  'phpmyadmin',
  'config.php',
  'shell',
  'setup',
  'vendor',
  '.git',
];

/** Looks for weak points from one address after the other, ten minutes each, with the agent of a browser. */
export function scanner(addresses: number, perSecond: number): Actor {
  return (stage) => {
    const { random, span } = stage;
    const agent = browser(stage);
    const stay = random.between(3, 10) * MINUTE;
    const begins = random.next() * Math.max(0, span - addresses * stay);
    return Array.from({ length: addresses }, (_, index) => {
      const by = client(stage, 'scanner');
      const count = Math.round((stay / SECOND) * perSecond);
      return Array.from({ length: count }, (): SiteRequest => {
        // Unevenly: it waits for answers.
        const at = Math.round(begins + index * stay + random.next() ** 1.5 * stay);
        const url = `/${random.pick(PROBED)}/${random.between(1, 2_000)}`;
        return { client: by, agent, method: 'GET', at, url, status: random.isTrue(0.7) ? 404 : 200 };
      });
    }).flat();
  };
}

/** Tries passwords. */
export const guesser: Actor = (stage) => {
  const { random, span } = stage;
  const by = client(stage, 'scanner');
  const agent = browser(stage);
  const begins = random.next() * span * 0.8;
  return Array.from({ length: random.between(200, 800) }, (_, index) => ({
    client: by,
    agent,
    method: 'POST',
    at: Math.round(begins + index * 900 + random.next() * 800),
    url: '/login',
    status: 401,
  }));
};
