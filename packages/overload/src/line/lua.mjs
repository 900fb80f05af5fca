/** @type {import('../../../core/src/scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: {
    ltb: ['token-bucket.expiry', 'moving-bucket', 'token-bucket', 'lined', 'lined-bucket'],
    lsw: [
      'log.packing',
      'slots.ranges',
      'slots.packing',
      'ring.packing',
      'log',
      'slots',
      'sliding-window',
      'lined',
      'lined-window',
    ],
    lsl: ['sliding-window-log', 'lined', 'lined-log'],
    lfw: ['fixed-window.packing', 'fixed-window', 'lined', 'lined-turns'],
  },
  rare: ['ltb', 'lsw', 'lsl', 'lfw'],
  unread: ['ltb', 'lsw', 'lsl', 'lfw'],
  needed: ['lined-claims'],
};
