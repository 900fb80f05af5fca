// Starts a program that never ends by itself, and shares its output with it.
import { spawn } from '../child.js';

spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: ['ignore', 'inherit', 'ignore'] });
process.stdout.write('started');
