import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '../limits.js';
import type { RateLimitClient } from '../rate-limit-client.js';
import { ServiceProcess } from '../service-process.js';

/** A service that keeps what hostile clients send ends at this heap. */
const HEAP_MB = 128;
/** What the machine gives it beside the heap: buffers, and what the runtime itself needs. */
const MOST_BYTES = 420e6;

/** More than the service waits for a client: 1 s. */
export const BOUND_MS = 30_000;

/** Others are served, and the memory is bounded. */
export const SERVED = { grpc: 'OK', http: 200, isBounded: true };

/** A service for hostile clients, and others that it serves at the same time. */
export interface HostileService {
  readonly service: ServiceProcess;
  /** How another client is served: `SERVED`. */
  others(): Promise<object>;
}

/** Opens it while the tests of a `describe` block run. Use the members in hooks and tests alone. */
export function withHostileService(): HostileService {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-hostile-'));
  const opened = {} as { service: ServiceProcess };
  let client: RateLimitClient;
  let count = 0;

  beforeAll(async () => {
    const file = join(folder, 'limits.yaml');
    writeFileSync(file, LIMITS);
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
    opened.service = await ServiceProcess.start(file, ['--timeout', '1s'], env);
    client = opened.service.client;
  }, 60_000);

  afterAll(async () => {
    const [code] = await opened.service.stop();
    rmSync(folder, { recursive: true });
    if (code !== 0) throw new Error(`the service has ended with ${code}: ${opened.service.log}`);
  });

  return Object.assign(opened, {
    async others() {
      count += 1;
      const reply = await client.check('api', { remote_address: `2001:db8:${count.toString(16)}::1` });
      const { status } = await opened.service.post('/check', { limiter: 'jobs', identities: { tenant: `t${count}` } });
      const isBounded = (await opened.service.memory()) < MOST_BYTES;
      return { grpc: reply.overall_code, http: status, isBounded };
    },
  });
}
