import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';

/** A project that installs packages from npm, as users do. */
export class Consumer {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * @param name the folder of its sources in `consumers`
   * @param packages tarballs, or names with versions
   */
  static async install(name: string, folder: string, packages: readonly string[]): Promise<Consumer> {
    await cp(join(root, 'test', 'packaging', 'consumers', name), folder, { recursive: true });
    const consumer = new Consumer(folder);
    await consumer.#execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages]);
    return consumer;
  }

  compile(): Promise<string> {
    return this.#execute(join(root, 'node_modules', '.bin', 'tsc'), ['--project', '.']);
  }

  /** Compiles with a TypeScript that the project has installed. */
  compileClassic(): Promise<string> {
    return this.#execute(join(this.folder, 'node_modules', '.bin', 'tsc'), ['--project', 'tsconfig.classic.json']);
  }

  /** Runs a program with options of Node, and resolves with the JSON that it prints. */
  async run(file: string, ...options: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.print(file, ...options));
  }

  /** Runs a program with options of Node, and resolves with what it prints. */
  print(file: string, ...options: readonly string[]): Promise<string> {
    return this.#execute(process.execPath, [...options, file]);
  }

  async #execute(command: string, args: readonly string[]): Promise<string> {
    const { stdout } = await execute(command, args, { cwd: this.folder }).catch((error: unknown) => {
      // The compiler prints errors to stdout, which the message of the error lacks.
      throw new Error(`${command}: ${(error as { stdout: string }).stdout}`, { cause: error });
    });
    return stdout;
  }
}
