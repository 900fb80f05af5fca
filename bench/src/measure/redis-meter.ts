import { Redis } from 'ioredis';

/** The resources that Redis has used since its start. */
interface Usage {
  /** Microseconds. */
  readonly cpu: number;
  /** Microseconds of it inside scripts. */
  readonly scripts: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Reads the resource use of a Redis, over a connection of its own. */
export class RedisMeter {
  readonly client: Redis;
  /** The cost of a reading itself. */
  #own: Usage = { cpu: 0, scripts: 0, bytesIn: 0, bytesOut: 0 };

  private constructor(port: number) {
    this.client = new Redis({ port, host: '127.0.0.1' });
  }

  static async on(port: number): Promise<RedisMeter> {
    const meter = new RedisMeter(port);
    await meter.#read();
    const { used } = await meter.around(() => Promise.resolve());
    meter.#own = used;
    return meter;
  }

  /** Runs a function, and returns the resources that Redis used meanwhile. */
  async around<T>(act: () => Promise<T>): Promise<{ value: T; used: Usage }> {
    const before = await this.#read();
    const value = await act();
    return { value, used: less(less(await this.#read(), before), this.#own) };
  }

  /** Bytes of Redis' data set, without the buffers of clients. */
  async memory(): Promise<number> {
    const info = await this.client.info('memory');
    const of = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1] ?? 0);
    return of('used_memory') - of('mem_clients_normal') - of('used_memory_scripts');
  }

  /** Empties it at once. */
  async flush(): Promise<void> {
    await this.client.flushall('SYNC');
  }

  end(): void {
    this.client.disconnect();
  }

  async #read(): Promise<Usage> {
    const info = await this.client.info('cpu', 'stats', 'commandstats');
    const of = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)![1]);
    return {
      cpu: (of('used_cpu_user') + of('used_cpu_sys')) * 1e6,
      scripts: Array.from(info.matchAll(/cmdstat_eval(?:sha)?:calls=\d+,usec=(\d+)/g)).reduce(
        (sum, [, spent]) => sum + Number(spent),
        0,
      ),
      bytesIn: of('total_net_input_bytes'),
      bytesOut: of('total_net_output_bytes'),
    };
  }
}

function less(one: Usage, other: Usage): Usage {
  return {
    cpu: one.cpu - other.cpu,
    scripts: one.scripts - other.scripts,
    bytesIn: one.bytesIn - other.bytesIn,
    bytesOut: one.bytesOut - other.bytesOut,
  };
}
