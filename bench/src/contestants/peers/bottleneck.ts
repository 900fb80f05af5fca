import Bottleneck from 'bottleneck';
import type { Runner, Setting } from '../contestant.js';
import { PERMITS } from '../permits.js';

/** A piece of work that runs: `end` lets it end, and resolves when its permit is back. */
interface Job {
  end(): Promise<void>;
}

export function open({ connect, prefix }: Setting): Runner {
  const connection = new Bottleneck.IORedisConnection({ client: connect() });
  const group = new Bottleneck.Group({ id: prefix, maxConcurrent: PERMITS, connection });
  const begin = (key: string) =>
    new Promise<Job>((resolve) => {
      let finish: () => void;
      const isOver = new Promise<void>((over) => (finish = over));
      const ended = group.key(key).schedule(() => {
        resolve({
          end() {
            finish();
            return ended;
          },
        });
        return isOver;
      });
    });
  return {
    check: begin,
    admitted: () => true,
    end: (job: Job) => job.end(),
    close: () => group.disconnect(false),
  };
}
