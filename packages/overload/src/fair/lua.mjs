/** @type {import('../../../core/src/scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { cf: ['concurrency', 'parties', 'wishing-permits', 'shares', 'waiting', 'fair'] },
  rare: ['cf'],
};
