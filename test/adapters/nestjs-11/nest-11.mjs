import { register } from 'node:module';

// Lets a program and the packages of this workspace have the Nest of this folder: node --import ./nest-11.mjs <file>
register('./nest-11-hooks.mjs', import.meta.url);
