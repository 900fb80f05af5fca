import { writeFile } from 'node:fs/promises';
import { usage } from '../failure/failure.js';

/** @param option for the message @throws Failure */
export async function writeText(option: string, file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw usage(`${option} ${file}: ${(error as Error).message}`);
  }
}
