import type { RedisServer } from '../../support/redis.js';
import { restart } from '../restart.js';

/** A way in which a Redis stops answering, and the end of it. */
export interface Trouble {
  readonly name: string;
  begin(server: RedisServer): void;
  end(server: RedisServer): Promise<void>;
}

export const troubles: readonly Trouble[] = [
  {
    name: 'is killed',
    begin: ({ process }) => void process.kill('SIGKILL'),
    end: restart,
  },
  {
    // Its connections stay, and nothing comes over them.
    name: 'is frozen',
    begin: ({ process }) => void process.kill('SIGSTOP'),
    end: async ({ process }) => void process.kill('SIGCONT'),
  },
];
