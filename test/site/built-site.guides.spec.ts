import { readPages } from './read-pages.js';

describe('the built site', () => {
  readPages(/^(guide\/|[^/]+$)/);
});
