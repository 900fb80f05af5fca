import { startExample, type ExampleProcess } from './example-process.js';
import type { Example } from './examples.js';

/** Examples that a test has started, which end with it. */
export class Running {
  readonly #processes: ExampleProcess[] = [];

  async start(example: Example, environment?: Record<string, string>): Promise<ExampleProcess> {
    const started = await startExample(example, environment);
    this.#processes.push(started);
    return started;
  }

  /** One of each, in their order. */
  startAll(examples: readonly Example[], environment?: Record<string, string>): Promise<ExampleProcess[]> {
    return Promise.all(examples.map((example) => this.start(example, environment)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((each) => each.stop()));
  }
}
