const balance = ['balance.spending', 'grants', 'postings', 'balance'];
const account = ['prelude', 'clock', 'algorithms', ...balance];

/** @type {import('../../../core/src/scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { ba: balance },
  rare: ['ba'],
  acts: {
    credit: [...account, 'credit'],
    reconcile: [...account, 'reconcile'],
    'end-grants': [...account, 'end-grants'],
  },
};
