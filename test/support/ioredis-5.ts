// For specs beside the sources, whose package has only the newest one.
export { Redis } from 'ioredis-5';
