import { register } from 'node:module';

// Makes a program and the packages of this workspace import Nest 11: node --import ./nest-11.mjs <file>
register('./nest-11-hooks.mjs', import.meta.url);
