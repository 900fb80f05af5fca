/** @type {import('../../../core/src/scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { cf: ['permits', 'parties', 'wishing-permits', 'shares', 'waiting', 'fair'] },
  rare: ['cf'],
};
